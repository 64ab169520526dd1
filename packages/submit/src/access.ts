/**
 * What of this machine a submission may read. `nothing` is for services that submit for others: no file, no environment
 * variable, no kubeconfig and no user of this machine has any effect, no module of it is loaded and no program run; what
 * would need one is refused.
 */
export type Access = "this-machine" | "nothing";
