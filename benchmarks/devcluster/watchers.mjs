// Watches pods many times over, until each watcher knows of so many running ones. Reads no more of an event than that.
// A watcher that falls too far behind is told so by the server, and begins anew, as informers do.
import http from "node:http";

const [url, watchers, wanted] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const RUNNING = Buffer.from('"phase":"Running"');
let restarts = 0;

function watch(seen, done) {
  const request = http.get(`${url}/api/v1/pods?watch=true`, { agent: false }, (response) => {
    let rest = Buffer.alloc(0);
    response.on("data", (chunk) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
        const line = rest.subarray(start, end);
        start = end + 1;
        if (line.indexOf(RUNNING) >= 0) seen.add(/"name":"([^"]+)"/.exec(line.toString("latin1", 0, 200))?.[1]);
      }
      rest = rest.subarray(start);
      if (seen.size >= wanted) done();
    });
    response.on("close", () => {
      if (seen.size >= wanted) return;
      restarts++;
      watch(seen, done);
    });
  });
  request.on("error", (error) => {
    throw error;
  });
}

const all = Array.from({ length: watchers }, () => new Promise((resolve) => watch(new Set(), resolve)));
process.stdout.write("watching\n");
await Promise.all(all);
process.stdout.write(`${restarts}\n`);
process.exit(0);
