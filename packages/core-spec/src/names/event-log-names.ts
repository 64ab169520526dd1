/** The container of a driver's pod that brings the event log to the recorder. */
export const EVENT_LOG_CONTAINER = "kindling-event-log";
