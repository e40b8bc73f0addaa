#!/usr/bin/env bash
# Installs rustup, without a toolchain: rust-toolchain.toml names it, and rustup fetches it when
# cargo is first called. The installer goes into a file, and runs only if its sum is the published
# one.
set -euo pipefail

version=1.28.2
# From https://static.rust-lang.org/rustup/archive/VERSION/TARGET/rustup-init.sha256
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64 | Linux-amd64)
    target=x86_64-unknown-linux-gnu
    sum=20a06e644b0d9bd2fbdbfd52d42540bdde820ea7df86e92e533c073da0cdd43c
    ;;
  Linux-aarch64 | Linux-arm64)
    target=aarch64-unknown-linux-gnu
    sum=e3853c5a252fca15252d07cb23a1bdd9377a8c6f3efa01531109281ae47f841c
    ;;
  *)
    echo "no sum of rustup is known for $(uname -s) on $(uname -m): install rustup by hand" >&2
    exit 1
    ;;
esac

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
curl --proto '=https' --tlsv1.2 --silent --show-error --fail --output "$folder/rustup-init" \
  "https://static.rust-lang.org/rustup/archive/$version/$target/rustup-init"
echo "$sum  $folder/rustup-init" | sha256sum --check --quiet
chmod +x "$folder/rustup-init"
"$folder/rustup-init" -y --no-modify-path --profile minimal --default-toolchain none
