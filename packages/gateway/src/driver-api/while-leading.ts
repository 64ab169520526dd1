import { type Api, ApiError, type ServiceOptions } from "@kindling/api-server";

/** The service for drivers, of the replica that leads. */
export type DriverService = ServiceOptions &
  Required<Pick<ServiceOptions, "arrived" | "authenticate" | "authorize" | "viewFor" | "allowed" | "watching">>;

/**
 * Serves drivers while this replica leads. Otherwise it sends an answer after which Spark's client tries again, and closes
 * the connection, so that the client finds the leading replica.
 *
 * @param anyView serves discovery, which concerns no driver
 * @param current undefined while another replica leads
 */
export function whileLeading(anyView: Api, current: () => DriverService | undefined): ServiceOptions {
  const serving = (): DriverService => {
    const service = current();
    if (service !== undefined) return service;
    throw new ApiError(503, "ServiceUnavailable", "this replica of the gateway stands by: another one serves drivers", {
      retryAfterSeconds: 1,
    });
  };
  return {
    api: anyView,
    async arrived(exchange, target, verb) {
      if (current() === undefined) exchange.response.setHeader("Connection", "close");
      return await serving().arrived(exchange, target, verb);
    },
    authenticate: (exchange) => serving().authenticate(exchange),
    authorize: (user, attributes) => serving().authorize(user, attributes),
    viewFor: (exchange) => serving().viewFor(exchange),
    allowed: (exchange, target, verb) => serving().allowed(exchange, target, verb),
    watching: (exchange, type) => serving().watching(exchange, type),
  };
}
