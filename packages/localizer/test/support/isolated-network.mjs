// Servers and a localizer in a network of their own, as isolated-network.ts requests them; prints the results as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { addresses, answers, hostsFile, localizer, config, terminationLog } = JSON.parse(process.argv[2] ?? "");
const requests = [];
for (const address of addresses) {
  const server = createServer((request, response) => {
    const asked = `${address}${request.url}`;
    requests.push(asked);
    const { status = 200, location, body = "", hosts } = answers[asked] ?? { status: 404 };
    if (hosts !== undefined) writeFileSync(hostsFile, hosts);
    response.writeHead(status, { connection: "close", ...(location !== undefined && { location }) }).end(body);
  });
  server.listen(80, address);
  await once(server, "listening");
}
const child = spawn(process.execPath, [...localizer, config], {
  env: { PATH: process.env.PATH, TERMINATION_LOG: terminationLog },
  stdio: ["ignore", "ignore", "pipe"],
});
let stderr = "";
child.stderr.setEncoding("utf8").on("data", (chunk) => (stderr += chunk));
const [code] = await once(child, "close");
process.stdout.write(JSON.stringify({ code, stderr, terminationLog: readFileSync(terminationLog, "utf8"), requests }));
process.exit();
