const LOWEST_USER_PORT = 1024;
const PORTS = 65_536;
/** By how much the port with TLS is above the other one, if no key names it. */
const ABOVE = 400;

/**
 * The port at which Spark's web UI speaks TLS: `undefined` without TLS, and 0 if it is not known beforehand. The UI's other
 * port only leads there (JettyUtils.scala, startJettyServer, and Utils.scala, userPort).
 *
 * @param conf the entries of an application, or of its driver
 * @param port the port without TLS
 */
export function uiTlsPort(conf: Readonly<Record<string, string>>, port: number): number | undefined {
  const isSealed = conf["spark.kindling.seal.ui"] === "true";
  const hasTls = isSealed || (conf["spark.ssl.ui.enabled"] ?? conf["spark.ssl.enabled"]) === "true";
  if (!hasTls) return undefined;
  const named = conf["spark.ssl.ui.port"];
  if (named !== undefined) return /^\d+$/.test(named) && Number(named) < PORTS ? Number(named) : 0;
  if (port <= 0) return 0;
  return ((port + ABOVE - LOWEST_USER_PORT) % (PORTS - LOWEST_USER_PORT)) + LOWEST_USER_PORT;
}
