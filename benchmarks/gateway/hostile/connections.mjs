// @ts-check
// Connections that use up limits of the gateway, with and without a driver's token. Each is opened again when it is closed.
import { connect } from "node:net";
import tls from "node:tls";

/**
 * The target of hostile connections.
 *
 * @typedef {object} Target
 * @property {string} uri
 * @property {string} ca
 * @property {string} namespace
 * @property {string} token
 * @property {() => string} forged a token that is not valid
 */

/**
 * What a hostile connection can use.
 *
 * @typedef {object} ConnectionMeans
 * @property {import("node:net").Socket} socket
 * @property {(text: string) => unknown} write
 * @property {(ms: number, action: () => void) => unknown} every
 */

/**
 * @typedef {{ name: string, isClear?: boolean, act: (means: Target & ConnectionMeans) => unknown }} Kind `isClear`: without TLS
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {Readonly<Record<string, string | number>>} fields
 */
const head = (method, path, fields) =>
  `${method} ${path} HTTP/1.1\r\nHost: gateway\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
const TYPE = { "Content-Type": "application/json" };

/** @type {readonly Kind[]} */
const KINDS = [
  { name: "says nothing, without TLS", isClear: true, act: () => undefined },
  { name: "says nothing", act: () => undefined },
  { name: "half a request", act: ({ write }) => write("GET /api/v1/names") },
  {
    name: "drips a body, without a token",
    act: ({ write, every, namespace }) => {
      write(head("POST", `/api/v1/namespaces/${namespace}/pods`, { ...TYPE, "Content-Length": 100_000 }));
      every(1_000, () => write(" "));
    },
  },
  {
    name: "holds the last byte back",
    act: ({ write, namespace, token }) => {
      const fields = { ...TYPE, Authorization: `Bearer ${token}`, "Content-Length": 100_000 };
      write(head("POST", `/api/v1/namespaces/${namespace}/pods`, fields) + " ".repeat(99_999));
    },
  },
  {
    name: "drips a body",
    act: ({ write, every, namespace, token }) => {
      const fields = { ...TYPE, Authorization: `Bearer ${token}`, "Content-Length": 100_000 };
      write(head("POST", `/api/v1/namespaces/${namespace}/pods`, fields));
      every(1_000, () => write(" "));
    },
  },
  {
    name: "watches, and reads nothing",
    act: ({ write, socket, namespace, token }) => {
      write(head("GET", `/api/v1/namespaces/${namespace}/pods?watch=true`, { Authorization: `Bearer ${token}` }));
      socket.pause();
    },
  },
  {
    name: "shows tokens that are forged for another one's pod",
    act: ({ write, every, namespace, forged }) =>
      every(200, () =>
        write(head("GET", `/api/v1/namespaces/${namespace}/pods`, { Authorization: `Bearer ${forged()}` })),
      ),
  },
];

/**
 * Keeps this many connections of each kind open.
 *
 * @param {Target} target
 * @param {number} each
 */
export function occupy(target, each) {
  for (const kind of KINDS) for (let index = 0; index < each; index++) setTimeout(() => live(kind, target), index * 50);
}

/**
 * @param {Kind} kind
 * @param {Target} target
 */
function live(kind, target) {
  const { hostname: host, port } = new URL(target.uri);
  const options = { host, port: Number(port) };
  const socket = kind.isClear === true ? connect(options) : tls.connect({ ...options, ca: target.ca });
  /** @type {Set<NodeJS.Timeout>} */
  const timers = new Set();
  socket.on("error", () => undefined);
  socket.on(kind.isClear === true ? "connect" : "secureConnect", () =>
    kind.act({
      ...target,
      socket,
      write: (text) => socket.writable && socket.write(text),
      every: (ms, action) => timers.add(setInterval(action, ms)),
    }),
  );
  if (!socket.isPaused()) socket.resume();
  socket.on("close", () => {
    for (const timer of timers) clearInterval(timer);
    setTimeout(() => live(kind, target), 200 + Math.random() * 800);
  });
}

/**
 * A token with the claims of another token, and with an invalid signature.
 *
 * @param {string} token
 */
export function forgery(token) {
  const [header, claims] = token.split(".");
  let count = 0;
  return () => `${header}.${claims}.${Buffer.from(`no signature ${process.pid} ${count++}`).toString("base64url")}`;
}
