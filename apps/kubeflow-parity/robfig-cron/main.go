// Computes times of schedules with robfig/cron. Each line of input is a question, each line of output is an answer, in JSON.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

type question struct {
	Schedule string `json:"schedule"`
	// Empty for the local zone.
	Zone string `json:"zone"`
	// Milliseconds since the epoch.
	After int64 `json:"after"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	// Milliseconds since the epoch; fewer than `howMany` if there are no more.
	Times []int64 `json:"times"`
}

const howMany = 5

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	answers := json.NewEncoder(out)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		answers.Encode(answerTo(asked))
	}
	out.Flush()
}

// A schedule that makes the library panic is an error too.
func answerTo(asked question) (given answer) {
	defer func() {
		if trouble := recover(); trouble != nil {
			given = answer{Error: fmt.Sprint("panic: ", trouble), Times: []int64{}}
		}
	}()
	given.Times = []int64{}
	schedule, err := parse(asked)
	if err != nil {
		given.Error = err.Error()
		return given
	}
	at := time.UnixMilli(asked.After)
	for len(given.Times) < howMany {
		if at = schedule.Next(at); at.IsZero() {
			break
		}
		given.Times = append(given.Times, at.UnixMilli())
	}
	return given
}

// As in the operator: the zone is put before the schedule, unless the schedule names a zone itself.
func parse(asked question) (cron.Schedule, error) {
	zone := asked.Zone
	if zone == "" {
		zone = "Local"
	} else if _, err := time.LoadLocation(zone); err != nil {
		return nil, fmt.Errorf("Invalid timezone: %w", err)
	}
	text := asked.Schedule
	if !strings.HasPrefix(text, "CRON_TZ=") && !strings.HasPrefix(text, "TZ=") {
		text = "CRON_TZ=" + zone + " " + text
	}
	return cron.ParseStandard(text)
}
