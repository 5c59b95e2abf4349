#!/usr/bin/env bash
# The step "Install Cloche" of action.yml: finds the Cloche of the project, or installs one from npm.
# Writes the path of the command to the output `main`.
set -euo pipefail

if ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
  process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)'; then
  echo '::error::Failed to install Cloche: it needs Node 20.19 or later. Add actions/setup-node before this step.'
  exit 1
fi

# Prints the path of the command of the Cloche that is installed in a folder, or in one above it.
find_main() {
  node -p 'const path = require("node:path");
    const manifest = require("node:module").createRequire(path.resolve(process.argv[1], "x")).resolve("cloche/package.json");
    path.resolve(manifest, "..", require(manifest).bin.cloche)' "$1"
}

if [ -z "$INPUT_VERSION" ] && main="$(find_main "$INPUT_WORKING_DIRECTORY" 2>/dev/null)"; then
  echo "Uses the Cloche that is installed in the project: $main"
else
  version="${INPUT_VERSION:-$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json")}"
  folder="$(mktemp -d "$RUNNER_TEMP/cloche-XXXXXX")"
  echo "Installs cloche@$version"
  npm install --prefix "$folder" --no-audit --no-fund "cloche@$version"
  main="$(find_main "$folder")"
fi
echo "main=$main" >>"$GITHUB_OUTPUT"
