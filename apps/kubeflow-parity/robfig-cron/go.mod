module kindling/apps/kubeflow-parity/robfig-cron

go 1.24

require github.com/robfig/cron/v3 v3.0.1
