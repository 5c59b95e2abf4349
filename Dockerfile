# Cloche as a container: docker build -t cloche . && docker run --rm -p 4010:4010 cloche
# docs/ci.md describes how to use it.

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund && npm run build
# Leaves out the development packages, except the drivers of --store, in the versions of the lock file.
RUN npm install --save-prod --save-exact --ignore-scripts --omit=dev --no-audit --no-fund \
    $(node -p "['ioredis', 'libsql'].map((name) => name + '@' + require('./package.json').devDependencies[name]).join(' ')")

FROM node:22-bookworm-slim
# A configuration or an extension in any folder finds the package here.
WORKDIR /node_modules/cloche
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/spec spec/
COPY --from=build /build/node_modules node_modules/
COPY --from=build /build/dist dist/
RUN ln -s /node_modules/cloche/dist/src/cli/main.js /usr/local/bin/cloche
WORKDIR /api
# Numbers, because Kubernetes cannot see whether a name is root.
USER 1000:1000
EXPOSE 4010
# For the mock. A status below 500 is enough: without a control token the interface refuses requests of other machines.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --start-interval=1s \
  CMD ["node", "-e", "fetch(`${process.env.CLOCHE_MOCK ?? 'http://127.0.0.1:4010'}/__cloche/service`).then(({ status }) => process.exit(status < 500 ? 0 : 1))"]
ENTRYPOINT ["cloche"]
CMD ["mock", "--host", "0.0.0.0"]
