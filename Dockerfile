# Exact versions throughout: the same sources make the same image. What npm installs is held against the hashes of package-lock.json.
FROM node:24.21.0-trixie-slim AS build
# The portal is built by the Node that npm installs; it needs libatomic.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --ignore-scripts
COPY . .
# What is compiled for the service goes with it, under the same path; what building took does not. Node looks for it by the user's number.
RUN npm run portal:build && npm prune --omit=dev --ignore-scripts && rm -rf node_modules/.cache && npm run gatehouse compile \
  && for made in node_modules/.cache/gatehouse/*-"$(id -u)"; do mv "$made" "${made%-*}-10001"; done

FROM debian:13.7-slim
# The runtime is that same Node.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin gatehouse \
  && install -d -o gatehouse -g gatehouse -m 0700 /data
WORKDIR /app
COPY --from=build /app ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data MALLOC_ARENA_MAX=2 NODE_COMPILE_CACHE=/app/node_modules/.cache/gatehouse
USER gatehouse
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node_modules/.bin/node", "src/main.ts"]
CMD ["serve"]
