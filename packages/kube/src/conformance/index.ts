export { clientCases, type ClientCase, type PodFollower, type StartPodFollower } from "./client-cases.ts";
export { startFaultServer, type FaultServer, type SeenRequest } from "./fault-server.ts";
export type { ListFault, WatchFault } from "./faults.ts";
export { serverCases, type ServerCase, type ServerScene } from "./server-cases.ts";
