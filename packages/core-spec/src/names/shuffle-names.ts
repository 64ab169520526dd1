/** What pods of applications that keep their shuffle files have in common (`spark.kindling.shuffle=keep`). */

/** The container of an executor's pod that serves the executor's shuffle files. */
export const SHUFFLE_CONTAINER = "kindling-shuffle";

/**
 * Label of an executor's pod whose Spark container has to end, or has ended, while the pod stays and serves its shuffle files.
 * Its value is one of the two below.
 */
export const KEEPER_LABEL = "gateway.kindling/keeper";
/** The executor was asked to end. For its driver it is still there. */
export const KEEPER_LEAVING = "leaving";
/** The driver has let the executor go. The pod is a keeper: it is no executor any more. */
export const KEEPER_KEPT = "true";

/** The port at which the kubelet asks the shuffle server whether the executor beside it may go on. */
export const SHUFFLE_STATUS_PORT = 7338;
/** The path of that question: 200 means yes, and 503 that the executor has to end. */
export const SHUFFLE_STATUS_PATH = "/executor";
