# Packs the charts and serves them as a chart repository on this machine, for the shell that sources this file. Sets
# CHART_REPOSITORY.
chart_folder=$(mktemp -d)
helm package "$REPOSITORY"/deploy/helm/* --destination "$chart_folder" >/dev/null
helm repo index "$chart_folder"
node -e '
  const { createReadStream, writeFileSync } = require("node:fs");
  const server = require("node:http").createServer((request, response) => {
    createReadStream(process.argv[1] + request.url).on("error", () => response.writeHead(404).end()).pipe(response);
  });
  server.listen(0, "127.0.0.1", () => writeFileSync(process.argv[1] + "/port", String(server.address().port)));
' "$chart_folder" &
until [ -s "$chart_folder/port" ]; do sleep 0.1; done
export CHART_REPOSITORY=http://127.0.0.1:$(cat "$chart_folder/port")
