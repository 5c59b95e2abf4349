"""fastapi_app.py, with what `cloche test` found there mended: strict types, no nulls, text that UTF-8 can carry, and
every refusal as the contract has it."""

import os
from typing import Any, Dict, Optional

import uvicorn
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, StrictInt, StrictStr, validator
from pydantic.errors import DictError, NoneIsNotAllowedError
from starlette.exceptions import HTTPException as AnyHTTPException


class Plant(BaseModel):
    name: StrictStr
    tag: Optional[StrictStr] = None

    @classmethod
    def validate(cls, value: Any) -> "Plant":
        # Pydantic makes an object of a list of pairs, too.
        if not isinstance(value, (dict, cls)):
            raise DictError()
        return super().validate(value)

    @validator("name", "tag", pre=True)
    def is_text(cls, value: Any) -> Any:
        if value is None:
            raise NoneIsNotAllowedError()
        if isinstance(value, str):
            value.encode()
        return value


class NewPlant(Plant):
    id: StrictInt

    @validator("id")
    def is_int64(cls, value: int) -> int:
        if not -(2**63) <= value < 2**63:
            raise ValueError("not an int64")
        return value


class Error(BaseModel):
    error: int
    message: str


app = FastAPI(title="Plant Store", version="1.0.0")
bearer = HTTPBearer()
plants: Dict[int, Plant] = {}


def refuse(status: int, message: str, headers: Optional[Dict[str, str]] = None) -> JSONResponse:
    return JSONResponse({"error": status, "message": message}, status, headers)


@app.exception_handler(RequestValidationError)
def on_invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    return refuse(400, "; ".join(problem["msg"] for problem in error.errors()))


@app.exception_handler(AnyHTTPException)
def on_refusal(request: Request, error: AnyHTTPException) -> JSONResponse:
    return refuse(error.status_code, str(error.detail), getattr(error, "headers", None))


def authenticate(credentials: HTTPAuthorizationCredentials = Depends(bearer)) -> None:
    if credentials.credentials.strip() != os.environ["TOKEN"]:
        raise HTTPException(401, "The token is not known.", {"WWW-Authenticate": "Bearer"})


@app.post(
    "/plants",
    operation_id="createPlant",
    response_model=Plant,
    response_model_exclude_none=True,
    responses={400: {"model": Error}},
    dependencies=[Depends(authenticate)],
)
def create_plant(plant: NewPlant) -> Plant:
    if plant.id in plants:
        raise HTTPException(400, f"There is a plant {plant.id} already.")
    plants[plant.id] = Plant(**plant.dict(exclude={"id"}, exclude_unset=True))
    return plants[plant.id]


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
