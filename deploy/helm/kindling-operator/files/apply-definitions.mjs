// Updates custom resource definitions to those in files. Arguments: the folder of the files, each NAME.yaml, and the folder
// of the account with the token for the API server.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [definitions, account] = process.argv.slice(2);
const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "443" } = process.env;
const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
const token = readFileSync(join(account, "token"), "utf8").trim();

for (const file of readdirSync(definitions).filter((name) => name.endsWith(".yaml"))) {
  const body = readFileSync(join(definitions, file), "utf8");
  const [, name] = /^ {2}name: (\S+)$/m.exec(body) ?? [];
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}?fieldManager=kindling-operator&force=true`;
  const answer = await fetch(new URL(path, server), {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/apply-patch+yaml" },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  const said = await answer.text();
  process.stdout.write(`${name}: ${answer.ok ? "applied" : `status ${answer.status}: ${said}`}\n`);
  if (!answer.ok) process.exitCode = 1;
}
