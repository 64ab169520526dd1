/** How a call concerns its session. */
export interface Method {
  readonly name: string;
  /** Whether a session that has no driver gets one for this call. The other methods only ask about what was there. */
  readonly wakes: boolean;
}

export const GRPC_CONTENT_TYPE = "application/grpc";
export const SPARK_CONNECT_SERVICE = "/spark.connect.SparkConnectService/";
export const HEALTH_CHECK_PATH = "/grpc.health.v1.Health/Check";

/** The methods of Spark Connect (sql/connect/common, base.proto, 3.4 to 4.3). Their requests all begin alike. */
const METHODS: ReadonlyMap<string, Method> = new Map(
  [
    { name: "ExecutePlan", wakes: true },
    { name: "AnalyzePlan", wakes: true },
    { name: "Config", wakes: true },
    { name: "AddArtifacts", wakes: true },
    { name: "ArtifactStatus", wakes: true },
    { name: "CloneSession", wakes: true },
    { name: "Interrupt", wakes: false },
    { name: "ReattachExecute", wakes: false },
    { name: "ReleaseExecute", wakes: false },
    { name: "ReleaseSession", wakes: false },
    { name: "FetchErrorDetails", wakes: false },
    { name: "GetStatus", wakes: false },
  ].map((method) => [`${SPARK_CONNECT_SERVICE}${method.name}`, method]),
);

/** The method of a path; `undefined` for paths of other services. */
export function methodOf(path: string): Method | undefined {
  return METHODS.get(path);
}
