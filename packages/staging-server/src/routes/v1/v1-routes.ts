import type { FastifyInstance } from "fastify";
import type { ServerContext } from "../server-context.ts";
import { adminRoutes } from "./admin-routes.ts";
import { blobUploadRoute, missingRoute } from "./blob-routes.ts";
import { bundleRoutes } from "./bundle-routes.ts";
import { damageRoutes } from "./damage-routes.ts";
import { fileRoutes } from "./file-routes.ts";
import { leaseRoutes } from "./lease-routes.ts";
import { uploadRoutes } from "./upload-routes.ts";

/** The protocol's version 1. */
export async function v1Routes(app: FastifyInstance, context: ServerContext): Promise<void> {
  adminRoutes(app, context);
  leaseRoutes(app, context);
  missingRoute(app, context);
  bundleRoutes(app, context);
  fileRoutes(app, context);
  damageRoutes(app, context);
  blobUploadRoute(app, context);
  await app.register((scope, _options, done) => {
    uploadRoutes(scope, context);
    done();
  });
}
