// @ts-check
// What hostile connections do. The first half has no credentials. The other half belongs to a tenant with a valid token, who
// tries to take all resources.
import { createHash, randomBytes } from "node:crypto";

/** @typedef {Readonly<Record<string, string | number>>} Fields of a request */

/**
 * The target of a crowd.
 *
 * @typedef {object} Target
 * @property {number} port
 * @property {string} evilToken
 * @property {string} evilNamespace
 * @property {{ readonly path: string, readonly secret: string }} evilFile
 */

/**
 * What a hostile connection can use.
 *
 * @typedef {object} ConnectionMeans
 * @property {(data: string | Buffer) => unknown} write
 * @property {(ms: number, action: () => void) => unknown} every
 * @property {(action: () => void) => unknown} onAnswer
 * @property {import("node:net").Socket} socket
 */

/** @typedef {Target & ConnectionMeans} Means */
/** @typedef {{ name: string, weight: number, act: (means: Means) => unknown }} Kind `act` is called when a connection begins */
/** @typedef {{ opened: number, closed: number, answers: Record<string, number> }} CrowdCounts */

/**
 * @param {string} method
 * @param {string} path
 * @param {Fields} fields
 */
const head = (method, path, fields = {}) =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
const JSON_TYPE = { "Content-Type": "application/json" };
/** @param {string} token */
const bearer = (token) => ({ Authorization: `Bearer ${token}` });
/** @param {string | Buffer} bytes */
const digestOf = (bytes) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/**
 * Sends the next request as soon as the last one is answered.
 *
 * @param {Means} means
 * @param {() => string | Buffer} next
 */
function flood({ write, onAnswer }, next) {
  onAnswer(() => write(next()));
  write(next());
}

/**
 * @param {string} path
 * @param {object} document
 * @param {Fields} fields
 */
function post(path, document, fields) {
  const body = JSON.stringify(document);
  return head("POST", path, { ...JSON_TYPE, ...fields, "Content-Length": Buffer.byteLength(body) }) + body;
}

// Only values that must be unique are made each time. Expensive values are made once, so that the crowd leaves processor time
// to the others.
const DIGESTS = Array.from({ length: 100_000 }, () => `sha256:${randomBytes(32).toString("hex")}`);
const someDigests = () => {
  const start = Math.floor(Math.random() * (DIGESTS.length - 4096));
  return DIGESTS.slice(start, start + 4096).map((digest) => ({ digest, size: 1 }));
};
const MANY_FILES = Array.from({ length: 1000 }, (_, index) => {
  return { name: `${"n".repeat(200)}${index}`, kind: "file", digest: digestOf("x"), size: 1, mode: 0o644 };
});

/**
 * A lease of the hostile tenant. The first connection that needs a lease opens it.
 *
 * @type {Promise<string> | undefined}
 */
let lease;

/** @param {Target} target */
async function leaseOf({ port, evilToken, evilNamespace }) {
  lease ??= fetch(`http://127.0.0.1:${port}/api/v1/leases`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${evilToken}` },
    body: JSON.stringify({ namespace: evilNamespace, ttl: 86_400 }),
  }).then(async (response) => {
    const { leaseId } = /** @type {{ leaseId?: string }} */ (await response.json());
    if (leaseId === undefined) lease = undefined;
    return leaseId ?? "none";
  });
  return await lease.catch(() => {
    lease = undefined;
    return "none";
  });
}

/** @type {readonly Kind[]} */
const STRANGERS = [
  { name: "says nothing", weight: 10, act: () => undefined },
  { name: "half a request line", weight: 6, act: ({ write }) => write("GET /api/v1/capa") },
  {
    name: "headers without end",
    weight: 6,
    act: ({ write, every }) => {
      write("GET /api/v1/capabilities HTTP/1.1\r\nHost: x\r\n");
      every(700, () => write(`X-${Math.random()}: x\r\n`));
    },
  },
  {
    name: "withholds the last byte",
    weight: 6,
    act: ({ write }) => {
      write(head("POST", "/api/v1/bundles", { ...JSON_TYPE, "Content-Length": 100_000 }));
      write(Buffer.alloc(99_999, 0x20));
    },
  },
  {
    name: "drips a body",
    weight: 5,
    act: ({ write, every }) => {
      write(head("POST", "/api/v1/leases", { ...JSON_TYPE, "Content-Length": 4000 }));
      every(500, () => write(" "));
    },
  },
  {
    name: "guesses tokens",
    weight: 8,
    act: (tools) =>
      flood(tools, () =>
        post("/api/v1/leases", { namespace: "a" }, { Authorization: `Bearer ${randomBytes(24).toString("hex")}` }),
      ),
  },
  {
    name: "asks what needs no credentials",
    weight: 4,
    act: (tools) => flood(tools, () => head("GET", "/api/v1/capabilities")),
  },
  {
    name: "sends requests without waiting",
    weight: 2,
    act: ({ write, every }) => every(300, () => write(head("GET", "/api/v1/capabilities").repeat(500))),
  },
  {
    name: "sends a body in pieces of a byte",
    weight: 2,
    act: ({ write }) => {
      const fields = { ...JSON_TYPE, "Transfer-Encoding": "chunked" };
      write(head("POST", "/api/v1/bundles", fields) + "1\r\n \r\n".repeat(5000));
    },
  },
  {
    name: "asks for another protocol",
    weight: 1,
    act: ({ write }) => write(head("GET", "/api/v1/capabilities", { Connection: "Upgrade", Upgrade: "h2c" })),
  },
  {
    name: "waits for 100 Continue",
    weight: 3,
    act: ({ write }) =>
      write(head("POST", "/api/v1/bundles", { ...JSON_TYPE, "Content-Length": 4_000_000, Expect: "100-continue" })),
  },
];

/** @type {readonly Kind[]} */
const TENANT = [
  {
    name: "tenant: withholds the last byte",
    weight: 6,
    act: ({ write, evilToken }) => {
      write(head("POST", "/api/v1/bundles", { ...JSON_TYPE, ...bearer(evilToken), "Content-Length": 1_000_000 }));
      write(Buffer.alloc(999_999, 0x20));
    },
  },
  {
    name: "tenant: waits after 100 Continue",
    weight: 4,
    act: ({ write, evilToken }) =>
      write(
        head("POST", "/api/v1/bundles", {
          ...JSON_TYPE,
          ...bearer(evilToken),
          "Content-Length": 4_000_000,
          Expect: "100-continue",
        }),
      ),
  },
  {
    name: "tenant: opens leases",
    weight: 6,
    act: (tools) =>
      flood(tools, () =>
        post("/api/v1/leases", { namespace: tools.evilNamespace, ttl: 86_400 }, bearer(tools.evilToken)),
      ),
  },
  {
    name: "tenant: asks for thousands of files",
    weight: 3,
    act: async (tools) => {
      const id = await leaseOf(tools);
      flood(tools, () => post("/api/v1/blobs:missing", { lease: id, digests: someDigests() }, bearer(tools.evilToken)));
    },
  },
  {
    name: "tenant: begins uploads",
    weight: 4,
    act: async (tools) => {
      const id = await leaseOf(tools);
      flood(tools, () =>
        head("POST", `/api/v1/uploads?lease=${id}`, {
          ...bearer(tools.evilToken),
          "Content-Length": 0,
          "Upload-Length": 1_000_000_000,
          "Upload-Complete": "?0",
          "Repr-Digest": `sha-256=:${createHash("sha256").update(randomBytes(8)).digest("base64")}:`,
        }),
      );
    },
  },
  {
    name: "tenant: small files and bundles of them",
    weight: 5,
    act: async (tools) => {
      const id = await leaseOf(tools);
      let commits = 0;
      flood(tools, () => {
        const bytes = randomBytes(100);
        if (commits++ % 2 === 0) {
          const fields = { ...bearer(tools.evilToken), "Content-Length": bytes.length };
          return Buffer.concat([
            Buffer.from(head("PUT", `/api/v1/blobs/${digestOf(bytes)}?lease=${id}`, fields)),
            bytes,
          ]);
        }
        const owner = { ownerNamespace: tools.evilNamespace, ownerLabels: { a: "b" }, ownerType: "Pod" };
        return post("/api/v1/bundles", { lease: id, owner, files: MANY_FILES }, bearer(tools.evilToken));
      });
    },
  },
  {
    name: "tenant: uploads that drip",
    weight: 4,
    act: async (tools) => {
      const id = await leaseOf(tools);
      const fields = { ...bearer(tools.evilToken), "Content-Length": 1_000_000 };
      tools.write(head("PUT", `/api/v1/blobs/${digestOf(randomBytes(8))}?lease=${id}`, fields));
      tools.every(1000, () => tools.write("x".repeat(1000)));
    },
  },
  {
    name: "tenant: takes a byte now and then",
    weight: 10,
    act: ({ write, socket, every, evilFile }) => {
      socket.pause();
      write(head("GET", evilFile.path, bearer(evilFile.secret)));
      every(1000, () => socket.read(200));
    },
  },
  {
    name: "tenant: takes nothing",
    weight: 8,
    act: ({ write, socket, evilFile }) => {
      socket.pause();
      write(head("GET", evilFile.path, bearer(evilFile.secret)));
    },
  },
];

export const KINDS = [...STRANGERS, ...TENANT];
