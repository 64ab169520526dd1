// @ts-check
// The purpose of each route of the staging server and the recorder: one row for each declared route.

/** Routes of version 1 of the protocol, in the order of use. */
export const V1_ROUTES = {
  "GET /api/v1/capabilities": "What the server can do, and its limits.",
  "POST /api/v1/access":
    "May these credentials upload for a namespace? Body: `namespace`. Answer: `subject`, `allowed` and, if not, `reason`.",
  "POST /api/v1/leases":
    "Opens a lease: files that it holds are not deleted. Body: `namespace`, `ttl` (seconds, optional). Answer 201: `leaseId`, `expiresIn`.",
  "DELETE /api/v1/leases/:id": "Closes a lease. Answer 204, also where there is none.",
  "POST /api/v1/blobs:missing":
    "Which files does the server lack? It holds the others for the lease. Body: `lease`, `digests` (each `digest`, `size`). Answer: `missing`.",
  "PUT /api/v1/blobs/:digest":
    "Sends a file in one request. Query: `lease`. Answer 201, or 200 if the file was there already.",
  "OPTIONS /api/v1/uploads": "Says that uploads can be resumed here, and their limits.",
  "POST /api/v1/uploads":
    "Begins an upload that can be resumed. Query: `lease`. Headers: `repr-digest`, `upload-length`. Answer 201: `location`, `upload-offset`.",
  "HEAD /api/v1/uploads/:id": "How far an upload is: `upload-offset`, `upload-complete`.",
  "PATCH /api/v1/uploads/:id": "Sends the next bytes, from `upload-offset` on.",
  "DELETE /api/v1/uploads/:id": "Gives an upload up.",
  "POST /api/v1/bundles":
    "Commits a bundle whose files are all there. Body: `lease`, `owner` (`ownerNamespace`, `ownerLabels`, by which its pods are found, `ownerType`: `Pod`), `files` (each `name`, `kind` such as `file` or `jar`, `digest`, `size`, `mode` as a number), `ttl` (seconds, optional). Answer 201: `bundleId`, `secret` (told once), `manifestDigest`, `expiresIn`.",
  "GET /api/v1/bundles":
    "Lists bundles. Query: `namespace`, `limit` (from 1 on; at most 500 are listed at once), `continue`. Answer: `bundles`, `continue`.",
  "GET /api/v1/bundles/:id":
    "The manifest: `bundleId`, `manifestDigest`, `files`. A file may have `href`, where it can be had from the store itself.",
  "GET /api/v1/bundles/:id/status": "State, owner, number of files and bytes of one bundle.",
  "PATCH /api/v1/bundles/:id/owner": "Binds a bundle to the very pod that owns it. Body: `uid`.",
  "DELETE /api/v1/bundles/:id": "Deletes a bundle.",
  "GET /api/v1/bundles/:id/files/*":
    "One file, by its name. Takes `Range`. Answer 200 or 206; 307 to the object store, unless the query has `redirect=false`.",
  "HEAD /api/v1/bundles/:id/files/*": "Its size, without the file.",
  "GET /api/v1/bundles/:id/archive.tar": "All files as a tar archive.",
  "GET /api/v1/bundles/:id/archive.tar.gz": "The same, compressed.",
  "POST /api/v1/bundles/:id/damaged":
    "The bytes that arrived are not those of the digest. Body: `name`. Answer: `state` (`sound`, `damaged`, `unknown`).",
  "GET /api/v1/stat": "What each namespace uses. Administrators see the whole store as well.",
  "POST /api/v1/gc":
    "Deletes now what may be deleted. For administrators. Body: `dryRun`. Answer: what went, or would go.",
};

/** Routes of the old fork's server. */
export const V0_ROUTES = {
  "GET /api/v0/ping": "Answers `pong`.",
  "POST /api/v0/resources": "Uploads an archive of files with its owner, as a form of several parts.",
  "POST /api/v0/resources/": "The same.",
  "GET /api/v0/resources/:id": "The archive, for whoever has its secret.",
};

/** Routes of the recorder. */
export const RECORDER_ROUTES = {
  "GET /api/v1/runs":
    "Lists runs, those first that ended last. Query: which runs, `limit` (100 unless it is set, at most 1000), `continue`. Answer: `runs`, and `continue` for the next page.",
  "GET /api/v1/namespaces":
    "The namespaces that something has been kept of, as far as the caller may read them. Answer: `namespaces`.",
  "GET /api/v1/runs/:uid": "All that is kept of a run besides its logs and pods: `run.json` as it is in the archive.",
  "GET /api/v1/runs/:uid/executors": "The driver and the executors, each in a line of JSON.",
  "GET /api/v1/runs/:uid/logs/:log":
    "A log as text: `driver`, `executor-1` and so on; of a run that has not ended, as far as it has been read. Query: `tailLines`, for the last lines only.",
  "GET /api/v1/runs/:uid/stages":
    "The stages that its event log tells of, each in a line of JSON: times in milliseconds, sizes in bytes.",
  "GET /api/v1/runs/:uid/event-log":
    "Its event log: `folder`, as Spark's history server expects it, and `files`, each `name` and `size`. 404 if there is none.",
  "GET /api/v1/runs/:uid/event-log/:file": "A file of its event log, as Spark has written it.",
  "GET /api/v1/event-logs/own":
    "For the second container of a driver's pod, with a token of that pod: which files of its event log are here (`files`, each `path` and `size`), and whether the driver has ended (`hasDriverEnded`).",
  "PATCH /api/v1/event-logs/own/:log/:file":
    "The same: adds bytes to a file. Headers: `upload-offset`, `content-digest` (RFC 9530). 409 if the file does not end there.",
  "POST /api/v1/event-logs/own/complete": "The same: all of it has arrived.",
  "POST /api/v1/pods/ends":
    "For the gateway, or whoever may delete pods in these namespaces: may the pods of these executors be deleted? Body: `pods` (each `namespace`, `name`, `uid`, and `running: true` if it has not ended; at most 500), `waitFor` (`all` by default). The answer comes when the logs of ended ones are read and those of the others are followed, or after 4 seconds; with `waitFor` `some`, as soon as that is so of some. Answer: `pods`, each with `uid` and `end` (`recorded`, `followed`, `unread`, `unknown`; `open` if the answer did not wait for it).",
  "GET /api/v1/usage":
    "What runs have reserved together. Query: which runs, `by` (`queue`, `namespace`, `name`, or `label:KEY`). Answer: `groups`, each with `key`, `runs` and `usage` by the kind of node.",
};
