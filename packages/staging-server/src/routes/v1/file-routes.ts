import type { FastifyInstance } from "fastify";
import { ProblemError } from "../../errors/problem-error.ts";
import { bundleOf } from "../../http/caller.ts";
import { sendArchive } from "../../downloads/send-archive.ts";
import { sendBlob } from "../../downloads/send-blob.ts";
import type { ServerContext } from "../server-context.ts";

interface FileRequest {
  Params: { id: string; "*": string };
  Querystring: { redirect?: string };
}

export function fileRoutes(app: FastifyInstance, context: ServerContext): void {
  const { bundles, blobs, config } = context;

  app.route<FileRequest>({
    method: ["GET", "HEAD"],
    url: "/bundles/:id/files/*",
    exposeHeadRoute: false,
    config: { access: "secret", transfers: true },
    async handler(request, reply) {
      const record = bundleOf(request);
      const manifest = await bundles.manifest(record.id);
      if (manifest === undefined) throw new ProblemError("bundle-gone");
      const file = manifest.files.find(({ name }) => name === request.params["*"]);
      if (file === undefined) throw new ProblemError("not-found", "the bundle has no file of that name");
      await context.uses.mark(record);
      const { store } = blobs;
      if (store.presign !== undefined && config["store.s3.redirect"] && request.query.redirect !== "false") {
        const href = await store.presign(file.digest, { expiresIn: config["store.s3.redirectExpiry"] });
        if (href !== undefined)
          return await reply.code(307).header("cache-control", "no-store").header("location", href).send();
      }
      return await sendBlob(context, request, reply, { ...file, namespace: record.owner.ownerNamespace });
    },
  });

  for (const compression of ["", ".gz"] as const) {
    const options = { config: { access: "secret", transfers: true } } as const;
    app.get(`/bundles/:id/archive.tar${compression}`, options, async (request, reply) => {
      const record = bundleOf(request);
      const manifest = await bundles.manifest(record.id);
      if (manifest === undefined) throw new ProblemError("bundle-gone");
      await context.uses.mark(record);
      const { ownerNamespace: namespace } = record.owner;
      return await sendArchive(context, reply, { namespace, files: manifest.files, gzip: compression === ".gz" });
    });
  }
}
