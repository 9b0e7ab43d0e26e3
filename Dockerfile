# The image of the service, for an engine with a registry. It uses PostgreSQL at DATABASE_URL (see compose.yaml), or an embedded one.
ARG BASE=node:24-slim

# Builds the pages. The final image contains only these.
FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY packages packages
COPY tools tools
COPY web web
# The page of the API document shows them.
COPY docs/errors.md docs/terminal.md docs/
RUN node web/build.ts

FROM ${BASE}

RUN apt-get update \
 && apt-get install -y --no-install-recommends git openssh-client \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The base image provides Node, so the one from npm is removed.
RUN npm ci --omit=dev && npm cache clean --force && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY src src
COPY packages packages
COPY tools tools
COPY images images
COPY content content
COPY --from=build /app/web/dist web/dist

# Not root: the user `node` of the base image.
RUN mkdir -m 700 /data && chown 1000:1000 /data
USER 1000:1000
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
# The same as launch.mjs: two arenas of the C library, and the collection that returns the memory of the start.
ENV MALLOC_ARENA_MAX=2
# For the next starts of a container. The service cannot write beside its sources.
ENV NODE_COMPILE_CACHE=/tmp/node-compile-cache
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--expose-gc", "--preserve-symlinks", "src/main.ts", "start", "--no-install"]
