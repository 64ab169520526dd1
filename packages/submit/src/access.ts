/**
 * How much of this machine a submission may read. `nothing` is for services that submit for others: no file, environment
 * variable, kubeconfig or user of this machine has any effect, no module of it is loaded and no program is run. A request
 * that needs one of these is refused.
 */
export type Access = "this-machine" | "nothing";
