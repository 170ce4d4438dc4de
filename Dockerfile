# One image for every task: `docker build -t gosset:0.1.0 .`; on clusters without Docker `apptainer run docker://<registry>/gosset:0.1.0 …`.
FROM node:20-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && node scripts/build.mjs && npm pack --silent --pack-destination /tmp

FROM node:20-bookworm-slim
COPY --from=build /tmp/gosset-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/gosset-*.tgz bullmq@6.7.0 ioredis@6.0.0 && rm -rf /tmp/gosset-*.tgz ~/.npm
# an ordinary user, by number, so that `runAsNonRoot` of Kubernetes can check it
USER 1000:1000
WORKDIR /work
ENTRYPOINT ["gosset"]
CMD ["--help"]
