export { loadConfig } from "./config/load-config.ts";
export { CONNECT_KEYS, type ConnectConfig } from "./config/connect-keys.ts";
export { configReference } from "./config/reference.ts";
export { USAGE } from "./config/program.ts";
export { type ConnectServer, type ConnectServerOptions, startConnectServer } from "./server/connect-server.ts";
