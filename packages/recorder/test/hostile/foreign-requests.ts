/** A request as its bytes say it; nothing on the way may put its path in order. */
export interface ForeignRequest {
  readonly method: string;
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether this may be answered with what the reader may see: a list without a namespace shows the reader's own runs. */
  readonly mayShowOwn?: boolean;
}

/** The run of others that is tried for, and what the reader has. */
export interface Tried {
  readonly namespace: string;
  readonly driver: string;
  readonly uid: string;
  readonly id: string;
  readonly name: string;
  readonly own: { readonly namespace: string; readonly uid: string };
}

/**
 * Requests for what is kept of another namespace, each in a way that has opened some service to somebody: other forms of a
 * path, other methods, fields that a proxy would act on, and parameters that are there twice or hold something else.
 */
export function foreignRequests(tried: Tried): readonly ForeignRequest[] {
  const forms = uidForms(tried);
  const ofRuns = forms.flatMap((uid) => ENDS.flatMap((end) => asVariants(`/api/v1/runs/${uid}${end}`)));
  const plain = ENDS.map((end) => `/api/v1/runs/${tried.uid}${end}`);
  const byMethod = plain.flatMap((path) => METHODS.map((method) => ({ method, path })));
  const byFields = plain.flatMap((path) => FIELDS.map((fields) => ({ method: "GET", path, fields: fields(tried) })));
  const byPath = plain.flatMap((path) => pathTricks(path).map((trick) => ({ method: "GET", path: trick })));
  return [...ofRuns, ...byMethod, ...byFields, ...byPath, ...lists(tried), ...eventLogs(tried), ...withBodies(tried)];
}

const ENDS = ["", "/executors", "/logs/driver", "/logs/executor-1", "/logs/driver?tailLines=9"];
const METHODS = ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get"];

/** Texts in the place of a uid. */
function uidForms({ namespace, driver, uid, id, name, own }: Tried): readonly string[] {
  return [
    uid,
    uid.toUpperCase(),
    escaped(uid, "%"),
    escaped(uid, "%25"),
    `${uid}%00`,
    `${uid}%0d%0aX-Other:1`,
    `%20${uid}`,
    `${uid}.json`,
    `${uid},${own.uid}`,
    `${own.uid}/../${uid}`,
    `${own.uid}%2f..%2f${uid}`,
    `${own.uid}%252f..%252f${uid}`,
    `${own.uid}%5c..%5c${uid}`,
    `${own.uid};/../${uid}`,
    `..%2f..%2fruns%2f${namespace}%2f${driver}%2f${uid}`,
    ...[driver, id, name, `${namespace}%2f${uid}`, `${namespace}:${driver}`, "*", "%2a", "__proto__", "constructor"],
    uid.repeat(400),
  ];
}

function escaped(text: string, percent: string): string {
  return Array.from(Buffer.from(text), (byte) => `${percent}${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Three ways to ask for the same. */
function asVariants(path: string): readonly ForeignRequest[] {
  return [
    { method: "GET", path },
    { method: "HEAD", path },
    { method: "GET", path, fields: { range: "bytes=0-1", "if-none-match": "*" } },
  ];
}

type Fields = Readonly<Record<string, string>>;

const FIELDS: readonly ((tried: Tried) => Fields)[] = [
  () => ({
    connection: "Upgrade, close",
    upgrade: "websocket",
    "sec-websocket-key": "AAAA",
    "sec-websocket-version": "13",
  }),
  () => ({ connection: "Upgrade, HTTP2-Settings, close", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" }),
  () => ({ range: "bytes=-100000" }),
  () => ({ range: "bytes=0-,0-,0-,0-", "if-range": "*" }),
  () => ({ "x-http-method-override": "GET", "x-original-url": "/api/v1/usage", "x-rewrite-url": "/metrics" }),
  () => ({ "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "localhost", forwarded: "for=127.0.0.1;proto=https" }),
  () => ({ "x-remote-user": "system:admin", "x-remote-group": "system:masters" }),
  () => ({ "impersonate-user": "system:admin", "impersonate-group": "system:masters" }),
  ({ namespace }) => ({ "x-namespace": namespace, cookie: `namespace=${namespace}` }),
  () => ({ "kindling-authorization": "Bearer " }),
  () => ({ accept: "text/html", "accept-encoding": "gzip, br", te: "trailers" }),
  () => ({ expect: "100-continue", "content-length": "0" }),
];

/** The same place, written in another way. */
function pathTricks(path: string): readonly string[] {
  return [
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/api/v1/runs/..%2f..%2f..${path}`,
    path.replace("/api/", "/%61pi/"),
    path.replace("/runs/", "/RUNS/"),
    path.replace("/runs/", "/runs//"),
    path.replace("/runs/", "/runs/./"),
    path.replace("/runs/", "\\runs\\"),
    path.replace("/v1/", "/v1;x=y/"),
    `${path}#`,
    `${path}/`,
    `http://127.0.0.1${path}`,
    `http://other.example${path}`,
    path.replaceAll("/", "%2f").replace("%2f", "/"),
  ];
}

function lists({ namespace, uid, id, name, own }: Tried): readonly ForeignRequest[] {
  const named = [
    `namespace=${namespace}`,
    `namespace=${own.namespace}&namespace=${namespace}`,
    `namespace=${namespace}&namespace=${own.namespace}`,
    `namespace[]=${namespace}`,
    `namespace%5B%5D=${namespace}`,
    `namespace[0]=${namespace}&namespace[1]=${own.namespace}`,
    `namespace=${own.namespace},${namespace}`,
    `namespace=${own.namespace}%00${namespace}`,
    `namespace=${own.namespace}%20${namespace}`,
    `namespace=..%2f${namespace}`,
    "namespace=",
    "namespace=*",
    "namespace=%2a",
    "namespace",
    `namespace=${namespace.toUpperCase()}`,
    `namespace=${"x".repeat(70)}`,
    `__proto__[namespace]=${namespace}`,
    `mayShow=${namespace}`,
    `limit=1000000`,
    `name=${"*a".repeat(10_000)}`,
  ].map((query): [string, boolean] => [query, false]);
  const cursor = Buffer.from(`9999999999999/${uid}`).toString("base64url");
  const unnamed = [
    "",
    `name=${name}`,
    `name=${id}`,
    "name=*",
    `name=%2a${name.slice(1)}`,
    "label=team=classified",
    "state=failed&state=succeeded&state=lost",
    "queue=classified",
    "since=1970-01-01T00:00:00Z",
    "until=2999-01-01T00:00:00Z",
  ].map((query): [string, boolean] => [query, true]);
  const all = [...named, ...unnamed];
  const runs: readonly [string, boolean][] = [...all, [`continue=${cursor}`, true]];
  const groups = ["namespace", "name", "queue", "label:team"].flatMap((by) =>
    all.map(([query, mayShowOwn]): [string, boolean] => [`by=${by}&${query}`, mayShowOwn]),
  );
  return [
    ...runs.flatMap(([query, mayShowOwn]) =>
      ["GET", "HEAD"].map((method) => ({ method, path: `/api/v1/runs?${query}`, mayShowOwn })),
    ),
    ...groups.map(([query, mayShowOwn]) => ({ method: "GET", path: `/api/v1/usage?${query}`, mayShowOwn })),
  ];
}

function eventLogs({ namespace, id, uid }: Tried): readonly ForeignRequest[] {
  const log = `eventlog_v2_${id}`;
  return ["own", uid, namespace, `own/${log}/events_1_${id}`, `own/..%2f${namespace}%2f${log}/events_1_${id}`].flatMap(
    (path) => ["GET", "HEAD", "PATCH", "POST"].map((method) => ({ method, path: `/api/v1/event-logs/${path}` })),
  );
}

/** A second request in the body of a first one. */
function withBodies({ uid }: Tried): readonly ForeignRequest[] {
  const inner = `GET /api/v1/runs/${uid}/logs/driver HTTP/1.1\r\nHost: x\r\n\r\n`;
  const chunked = `0\r\n\r\n${inner}`;
  const length = String(chunked.length);
  return [
    { method: "POST", path: "/api/v1/runs", body: inner, fields: { "content-length": String(inner.length) } },
    {
      method: "POST",
      path: "/api/v1/runs",
      body: chunked,
      fields: { "content-length": length, "transfer-encoding": "chunked" },
    },
    { method: "POST", path: "/api/v1/runs", body: chunked, fields: { "transfer-encoding": "chunked" } },
    { method: "GET", path: "/api/v1/runs/x", body: inner, fields: { "content-length": "0" } },
  ];
}
