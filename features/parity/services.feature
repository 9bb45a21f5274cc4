@parity @needs-running-pods @needs-workload-image
Feature: What a service is promised
  Who answers at an address, from where, and what becomes of connections when that changes.

  @LAW-4.readiness
  Scenario: a server gets connections once it is ready
    Given server "steady" is ready behind service "game"
    And server "late" runs behind service "game", but is not ready
    And connections to service "game" are answered by "steady" alone
    When server "late" says that it is ready
    Then connections to service "game" are answered by "steady" and "late"

  @LAW-4.readiness
  Scenario: a server that is no longer ready gets no more connections
    Given server "steady" is ready behind service "game"
    And server "tired" is ready behind service "game"
    And connections to service "game" are answered by "steady" and "tired"
    When server "tired" says that it is no longer ready
    Then connections to service "game" are answered by "steady" alone
    And server "tired" still answers at its own address

  @LAW-4.terminating
  Scenario: a server on its way out gets no new connections, however long it takes
    Given server "steady" is ready behind service "game"
    And server "leaving" is ready behind service "game", and takes its time to end
    And connections to service "game" are answered by "steady" and "leaving"
    When pod "leaving" is deleted
    Then connections to service "game" are answered by "steady" alone
    And server "leaving" still answers at its own address

  @LAW-4.selector-flip
  Scenario: a service that turns to another server keeps held connections where they are
    Given server "old" is ready behind service "game"
    And server "new" is ready behind no service
    And pod "player" holds a connection to service "game", answered by "old"
    When service "game" turns to server "new"
    Then connections to service "game" are answered by "new" alone
    And the connection of pod "player" goes on, answered by "old"

  @LAW-4.node-port @needs-test-nodes
  Scenario: a node port answers on every node
    Given server "only" is ready on the data node behind service "game"
    When service "game" has a node port
    Then the node port of service "game" is answered by "only" on every node

  @LAW-4.host-port @needs-test-nodes
  Scenario: a host port answers on its node alone
    When server "only" is ready on the data node with a host port
    Then the host port is answered by "only" on the data node
    And the host port is answered by nobody on the management node

  @LAW-4.cluster-ip @needs-test-nodes @needs-outside-vantage
  Scenario: a cluster IP answers inside only
    Given server "only" is ready behind service "game"
    When service "game" has a node port
    Then connections to service "game" are answered by "only" alone
    And from outside, the node port of service "game" is answered by "only" on the data node
    But from outside, service "game" is answered by nobody at its cluster address

  @LAW-4.pool @needs-load-balancer
  Scenario: a load balancer's address comes from the pool that was asked for
    When service "game" asks for an address of the game pool
    And service "console" asks for an address of the management pool
    Then service "game" has an address of the game pool
    And service "console" has an address of the management pool

  @LAW-4.outside @needs-load-balancer @needs-outside-vantage
  Scenario: a load balancer's address answers from outside
    Given server "only" is ready behind service "game"
    When service "game" asks for an address of the game pool
    Then from outside, service "game" is answered by "only" at the address that it was given

  @LAW-4.exhausted @needs-load-balancer @alone
  Scenario: a pool of addresses that has run out says so
    Given service "one" and service "two" have all addresses of the small pool
    When service "three" asks for an address of the small pool
    Then service "three" has no address, and an event says that none could be given

  @LAW-4.given-on @needs-load-balancer @alone
  Scenario: an address that was given back is given on to whoever waits for one
    Given service "one" and service "two" have all addresses of the small pool
    And service "three" waits for an address of the small pool
    When service "one" is deleted
    Then service "three" has the address that service "one" had

  @LAW-4.udp @needs-test-nodes
  Scenario: UDP is carried as TCP is
    Given server "only" is ready on the data node behind service "game"
    When service "game" has a node port
    Then packets to service "game" are answered by "only" alone
    And packets to the node port of service "game" are answered by "only" on every node

  @LAW-4.udp @needs-load-balancer @needs-outside-vantage
  Scenario: a load balancer's address answers by UDP as well
    Given server "only" is ready behind service "game"
    When service "game" asks for an address of the game pool
    Then from outside, packets to service "game" are answered by "only" at the address that it was given

  @LAW-4.local-policy @needs-test-nodes @needs-outside-vantage
  Scenario: a service can answer from outside only on the nodes of its servers
    Given server "only" is ready on the data node behind service "game"
    And service "game" has a node port
    And from outside, the node port of service "game" is answered by "only" on the management node
    When service "game" answers from outside only where its servers are
    Then from outside, the node port of service "game" is answered by nobody on the management node
    And from outside, the node port of service "game" is answered by "only" on the data node
