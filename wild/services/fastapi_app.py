"""As FastAPI's tutorial shows it: Pydantic models, HTTPBearer, HTTPException, and its answers to errors as they come."""

import os
from typing import Dict, Optional

import uvicorn
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel


class Plant(BaseModel):
    name: str
    tag: Optional[str] = None


class NewPlant(Plant):
    id: int


class Error(BaseModel):
    error: int
    message: str


app = FastAPI(title="Plant Store", version="1.0.0")
bearer = HTTPBearer()
plants: Dict[int, Plant] = {}


def authenticate(credentials: HTTPAuthorizationCredentials = Depends(bearer)) -> None:
    if credentials.credentials != os.environ["TOKEN"]:
        raise HTTPException(status_code=401, detail="The token is not known.")


@app.post(
    "/plants",
    operation_id="createPlant",
    response_model=Plant,
    responses={400: {"model": Error}},
    dependencies=[Depends(authenticate)],
)
def create_plant(plant: NewPlant) -> Plant:
    if plant.id in plants:
        raise HTTPException(status_code=400, detail=f"There is a plant {plant.id} already.")
    plants[plant.id] = Plant(name=plant.name, tag=plant.tag)
    return plants[plant.id]


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning")
