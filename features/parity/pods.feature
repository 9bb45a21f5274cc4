@parity @needs-running-pods @needs-workload-image
Feature: What a pod is promised
  Order, probes, restarts, signals and limits: what every workload of the suite counts on.

  @LAW-3.init-order
  Scenario: init containers run one after the other, before the rest
    When pod "orderly" is created with init containers "fetch" and "unpack"
    Then pod "orderly" becomes ready
    And this happened in pod "orderly", in this order:
      | fetch begins  |
      | fetch ends    |
      | unpack begins |
      | unpack ends   |
      | main begins   |

  @LAW-3.sidecar-order
  Scenario: sidecars start before the containers and end after them
    Given pod "escorted" runs with sidecar "escort"
    When pod "escorted" is deleted
    Then pod "escorted" is gone
    And this happened in pod "escorted", in this order:
      | escort begins       |
      | main begins         |
      | main gets SIGTERM   |
      | main ends           |
      | escort gets SIGTERM |

  @LAW-3.startup-probe
  Scenario: nothing else is probed before the startup probe succeeds
    Given pod "slow" has a startup, a readiness and a liveness probe, and answers none
    When its startup probe has failed twice, and pod "slow" begins to answer
    Then pod "slow" becomes ready
    And only the startup probe asked pod "slow" until it succeeded, and the others from then on
    And pod "slow" has not been restarted

  @LAW-3.readiness-probe
  Scenario: a pod that is not ready says so, and is not restarted
    Given pod "busy" is ready as long as it answers its readiness probe
    When pod "busy" no longer answers its probe
    Then pod "busy" is not ready, and says which container is not
    And pod "busy" is ready again once it answers
    And pod "busy" has not been restarted

  @LAW-3.liveness-probe
  Scenario: a container that fails its liveness probe is restarted
    Given pod "stuck" lives as long as it answers its liveness probe
    When pod "stuck" no longer answers its probe
    Then the container of pod "stuck" is restarted, because of its liveness probe
    And pod "stuck" becomes ready

  @LAW-3.back-off
  Scenario: restarts back off
    When pod "restless" is created, whose container fails as often as it is started
    Then the restart of pod "restless" is put off, and it says so
    And the second restart of pod "restless" comes after a longer pause than the first

  @LAW-3.exit-code
  Scenario: exit codes are told
    When pod "brief" runs to its end with code 7
    Then pod "brief" ends with code 7

  @LAW-3.previous-logs
  Scenario: the logs of the container before the restart can be read
    When the container of pod "forgetful" says "before" and ends, and "after" once it is restarted
    Then the container of pod "forgetful" is restarted
    And the logs of pod "forgetful" read "after" since the restart, and "before" before it

  @LAW-3.pre-stop
  Scenario: preStop runs before SIGTERM
    Given pod "polite" takes its leave in a preStop hook
    When pod "polite" is deleted
    Then pod "polite" is gone
    And this happened in pod "polite", in this order:
      | main begins              |
      | main takes its leave     |
      | main has taken its leave |
      | main gets SIGTERM        |

  @LAW-3.term-then-kill
  Scenario: SIGTERM comes first, and SIGKILL once the grace period is over
    Given pod "deaf" ignores SIGTERM
    When pod "deaf" is deleted
    Then pod "deaf" is gone
    And pod "deaf" was killed, but no sooner than its grace period after SIGTERM

  @LAW-3.memory-kill
  Scenario: a container that takes more memory than its limit is killed
    When the container of pod "greedy" takes more memory than its limit
    Then pod "greedy" ends with code 137
    And this happened in pod "greedy", in this order:
      | main begins |

  @LAW-3.exec
  Scenario: a command runs in a container, and its output and exit code come back
    Given pod "web" runs
    When a command in pod "web" asks for the pod's name, complains, and ends with code 3
    Then the command's output is "web", its complaint came apart from it, and its exit code is 3

  @LAW-3.field-ref
  Scenario: a container learns of its pod through fieldRef
    When pod "curious" is created with what fieldRef tells in its environment
    Then the container of pod "curious" knows, as the API does, its:
      | name             |
      | namespace        |
      | uid              |
      | label of the run |
      | node             |
      | service account  |
    And the container of pod "curious" knows its own address

  @LAW-3.projected-token
  Scenario: a projected token is there and names its audience
    When pod "visitor" is created with a projected token for audience "harbour-master"
    Then the token in pod "visitor" is for audience "harbour-master" alone
    And the token in pod "visitor" is its service account's, and bound to that pod

  @LAW-3.config-map-update
  Scenario: a change of a ConfigMap arrives in its volume
    Given pod "reader" mounts ConfigMap "notice", and reads "before"
    When ConfigMap "notice" is changed to "after"
    Then pod "reader" reads "after"
    And pod "reader" has not been restarted
