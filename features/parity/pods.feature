@parity @needs-running-pods @needs-workload-image
Feature: What a pod is promised
  Order, probes, restarts, signals and limits: what every workload of the suite counts on.

  @LAW-3.exit-code
  Scenario: exit codes are told
    When pod "brief" runs to its end with code 7
    Then pod "brief" ends with code 7
