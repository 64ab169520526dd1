import type { V0Submitted } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import { openBundle, secretOf } from "../../bundle-access.ts";
import type { ServerContext } from "../../context.ts";
import { streamBodies } from "../../http/app.ts";
import { ProblemError } from "../../problem-error.ts";
import { sendArchive } from "../../serve/send-archive.ts";
import { sendBlob } from "../../serve/send-blob.ts";
import { submitResources } from "./submit-resources.ts";

/** The old fork's API (`ResourceStagingService`): plain answers, and 401 told apart from 404. */
export function v0Routes(app: FastifyInstance, context: ServerContext): void {
  const { bundles } = context;
  streamBodies(app);

  app.get("/ping", async (_request, reply) => await reply.type("text/plain").send("pong"));

  // The old client asks with a slash at the end, the old server knew both.
  for (const url of ["/resources", "/resources/"]) {
    app.post(url, { config: { streamsBody: true } }, async (request, reply) => {
      const submitted: V0Submitted = await submitResources(context, request, reply);
      return await reply.code(200).header("cache-control", "no-store").send(submitted);
    });
  }

  app.get<{ Params: { id: string } }>("/resources/:id", async (request, reply) => {
    const opened = await openBundle(context, request.params.id, secretOf(request.headers.authorization));
    if (opened.outcome === "unknown") throw new ProblemError("not-found", "there is no such resource");
    if (opened.outcome === "wrong-secret") throw new ProblemError("unauthorized");
    const { record } = opened;
    const manifest = await bundles.manifest(record.id);
    if (manifest === undefined) throw new ProblemError("bundle-gone");
    await context.uses.mark(record);
    const [single] = manifest.files;
    // A bundle of version 1 is packed as an old init container expects it.
    if (record.wire === "v1" || single === undefined) return await sendArchive(context, reply, manifest.files, true);
    return await sendBlob(context, request, reply, single);
  });
}
