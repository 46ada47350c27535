# syntax=docker/dockerfile:1

FROM node:22-slim AS build
WORKDIR /app
# better-sqlite3 is compiled where no ready-made binary fits.
RUN apt-get update \
  && apt-get install -y --no-install-recommends g++ make python3 \
  && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/package.json /app/CHANGELOG.md ./
COPY --from=build /app/node_modules node_modules
# What the program reads beside its build: package.json's `files` has the same list.
COPY --from=build /app/console/assets console/assets
COPY --from=build /app/docs docs
COPY --from=build /app/drizzle/migrations drizzle/migrations
COPY --from=build /app/plugins/docs-page plugins/docs-page
COPY --from=build /app/src/demo src/demo
COPY --from=build /app/bin bin
COPY --from=build /app/dist dist
# Where the SQLite file and the outbox folder are by default; empty where PostgreSQL and a mail provider are used.
RUN mkdir data && chown node:node data \
  && ln -s /app/bin/broker.mjs /usr/local/bin/broker
VOLUME /app/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, SIGTERM reaches the server itself.
CMD ["node", "dist/src/server.js"]
