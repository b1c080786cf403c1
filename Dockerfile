# The program alone: `docker build --build-arg GGP_COMMIT=$(git rev-parse --short=9 HEAD) --tag ggp .`, and then
# `docker run --rm -it ggp repl tic_tac_toe`.
FROM rust:1.95-slim AS build
ARG GGP_COMMIT=""
WORKDIR /ggp
COPY . .
RUN GGP_COMMIT="$GGP_COMMIT" cargo build --locked --release --bin ggp

FROM debian:trixie-slim
COPY --from=build /ggp/target/release/ggp /usr/bin/ggp
COPY LICENSE-MIT LICENSE-APACHE /usr/share/doc/ggp/
# Files of the user: `docker run --rm -v "$PWD:/games" ggp check sheet.gdl`.
WORKDIR /games
USER nobody
ENTRYPOINT ["ggp"]
