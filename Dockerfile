# The release (npm pack) is made from the sources, then unpacked and installed as on any other machine. What belongs to it
# stands in package.json's `files` alone.
#
# The base is pinned by its tag. To pin it by its digest too, append the answer of
#   docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}'
# as node:24-slim@sha256:... in both lines; Dependabot keeps a digest that is there up to date.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm pack --silent \
  && mkdir /app \
  && tar xzf broker-service-api-*.tgz -C /app --strip-components=1 \
  && cd /app \
  && npm ci --omit=dev \
  && mkdir data

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app ./
# Where the SQLite file and the outbox folder are by default; empty where PostgreSQL and a mail provider are used.
RUN chown 1000:1000 data \
  && ln -s /app/bin/broker.mjs /usr/local/bin/broker
VOLUME /app/data
# The image's user `node`, as a number, so that Kubernetes' runAsNonRoot can check it.
USER 1000:1000
EXPOSE 3000
# Without a start interval, engines before 27 ask for the first time after 30 seconds.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --start-interval=5s --retries=3 CMD ["broker", "health"]
# Without npm in between, SIGTERM reaches the server itself.
CMD ["node", "dist/src/server.js"]
