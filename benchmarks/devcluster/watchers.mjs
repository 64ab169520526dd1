// @ts-check
// Watches pods with many watches, until each watcher knows of enough running pods. Reads from an event only what this needs. If
// a watcher falls too far behind, the server ends its watch, and it begins again, as informers do.
import http from "node:http";

const [url, ...counts] = process.argv.slice(2);
const [watchers = 0, wanted = 0] = counts.map(Number);
const RUNNING = Buffer.from('"phase":"Running"');
let restarts = 0;

/**
 * @param {Set<string | undefined>} seen names of pods that run
 * @param {() => void} done called when there are enough pods
 */
function watch(seen, done) {
  const request = http.get(`${url}/api/v1/pods?watch=true`, { agent: false }, (response) => {
    /** @type {Buffer} */
    let rest = Buffer.alloc(0);
    response.on("data", (/** @type {Buffer} */ chunk) => {
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

const all = Array.from({ length: watchers }, watchOne);
/** @returns {Promise<void>} */
function watchOne() {
  return new Promise((resolve) => watch(new Set(), resolve));
}

process.stdout.write("watching\n");
await Promise.all(all);
process.stdout.write(`${restarts}\n`);
process.exit(0);
