/** Names of Spark Connect: what marks the drivers that kindling-connect makes for the sessions of its users, and their port. */

/** The port of Spark Connect that servers and clients use if they are told none (`spark.connect.grpc.binding.port`). */
export const SPARK_CONNECT_PORT = 15_002;

/** Label: the profile that a driver was made for. Each driver has it. */
export const CONNECT_PROFILE_LABEL = "connect.kindling/profile";
/** Label: the service that made a driver. Each driver has it, so that two services in one cluster leave each other's alone. */
export const CONNECT_SERVICE_LABEL = "connect.kindling/service";
/** Label: which sessions a driver is for; a driver without it waits for one. */
export const CONNECT_KEY_LABEL = "connect.kindling/key";
/** Label: the hash of the user whose driver it is. */
export const CONNECT_USER_LABEL = "connect.kindling/user";
/** Annotation: the user's name, for people. */
export const CONNECT_USER_ANNOTATION = "connect.kindling/user";
