import type { V0Submitted } from "@kindling/staging-client";
import type { FastifyInstance } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { bundleOf } from "../../http/caller.ts";
import { sendArchive } from "../../downloads/send-archive.ts";
import { sendBlob } from "../../downloads/send-blob.ts";
import type { ServerContext } from "../server-context.ts";
import { submitResources } from "./submit-resources.ts";

/** The old fork's API (`ResourceStagingService`): plain answers, and 401 differs from 404. */
export function v0Routes(app: FastifyInstance, context: ServerContext): void {
  const { bundles } = context;

  app.get(
    "/ping",
    { config: { access: "anybody" } },
    async (_request, reply) => await reply.type("text/plain").send("pong"),
  );

  // The old client sends a slash at the end, the old server accepted both.
  for (const url of ["/resources", "/resources/"]) {
    app.post(url, { config: { access: "v0-upload", body: "stream", transfers: true } }, async (request, reply) => {
      const submitted: V0Submitted = await submitResources(context, request, reply);
      return await reply.code(200).header("cache-control", "no-store").send(submitted);
    });
  }

  app.get("/resources/:id", { config: { access: "v0-secret", transfers: true } }, async (request, reply) => {
    const record = bundleOf(request);
    const manifest = await bundles.manifest(record.id);
    if (manifest === undefined) throw new ProblemError("bundle-gone");
    await context.uses.mark(record);
    const [single] = manifest.files;
    // A bundle of version 1 is packed as an old init container expects it.
    const { ownerNamespace: namespace } = record.owner;
    if (record.wire === "v1" || single === undefined) {
      return await sendArchive(context, reply, { namespace, files: manifest.files, gzip: true });
    }
    return await sendBlob(context, request, reply, { ...single, namespace });
  });
}
