@pool
Feature: Allocating a node
  A test that needs a Windows host takes one from the pool. From then on that host is its own: nobody else is given it
  until it is released, reclaimed or removed by force.

  Background:
    Given a node pool:
      | address    | status      | platform | username | test-id | age    |
      | 192.0.2.10 | in-use      | vsphere  | admin-10 | upgrade | 1 hour |
      | 192.0.2.11 | quarantined | vsphere  | admin-11 |         |        |
      | 192.0.2.12 | available   | aws      | admin-12 |         |        |
      | 192.0.2.13 | available   | vsphere  | admin-13 |         |        |

  @NP-2.allocate
  Scenario: an allocation takes an available node of the platform asked for and records its holder
    When test "login" allocates a vsphere node
    Then it is given 192.0.2.13 with user "admin-13"
    And the pool shows 192.0.2.13 as in-use by "login" since just now
    And no other entry has changed

  @NP-2.allocate
  Scenario: an allocation's log tells who asked, what was decided, why, and at which version
    When test "login" allocates a vsphere node
    Then it is given 192.0.2.13
    And its log tells of "login", 192.0.2.13 and a reason, at the version that was read

  @NP-2.allocate
  Scenario: an allocation that names no platform takes any available node
    Given test "storage" has allocated a vsphere node
    When test "login" allocates a node
    Then it is given 192.0.2.12 with user "admin-12"

  @NP-2.allocate
  Scenario: an allocation takes a node by the type of address asked for
    Given the pool also has:
      | address           | status    | platform | address-type |
      | win-2.example.com | available | vsphere  | dns          |
    When test "login" allocates a vsphere node by dns
    Then it is given win-2.example.com

  @NP-2.allocate
  Scenario: an address type that no host of the platform has is refused as such
    When test "login" allocates a vsphere node by dns
    Then it is refused with AddressTypeMismatch, fallback allowed
    And no entry has changed

  @NP-2.same-test-id
  Scenario: a test that asks again is given the node it holds, and nothing is written
    When test "upgrade" allocates a vsphere node
    Then it is given 192.0.2.10
    And no entry has changed
    And nothing was written

  @NP-2.same-test-id
  Scenario: one test may hold one node of each address type
    Given the pool also has:
      | address           | status    | platform | address-type |
      | win-2.example.com | available | vsphere  | dns          |
    When test "upgrade" allocates a vsphere node by dns
    Then it is given win-2.example.com
    And the pool shows 192.0.2.10 as in-use by "upgrade"

  @NP-2.same-test-id
  Scenario Outline: of two nodes that a crash left a test, the one it has <reason> is its own, and the other is given to nobody
    Given the pool also has:
      | address    | status | platform | test-id | age        | renewed   |
      | 192.0.2.30 | in-use | azure    | login   | <age>      | <renewed> |
      | 192.0.2.31 | in-use | azure    | login   | 59 seconds |           |
    And test "login" has allocated an azure node
    When test "login" allocates an azure node
    Then it is given <own>
    And the pool shows <other> as in-use by "login"

    Examples:
      | reason     | age        | renewed   | own        | other      |
      | renewed    | 1 hour     | 5 minutes | 192.0.2.30 | 192.0.2.31 |
      | taken last | 61 seconds |           | 192.0.2.31 | 192.0.2.30 |

  @NP-2.same-test-id
  Scenario Outline: what somebody writes about its machine takes no node from the test that has renewed it, held since <age>
    Given the pool also has:
      | address           | status | platform | machine | test-id | age    | renewed   |
      | 192.0.2.20        | in-use | azure    | win-7   | login   | 1 hour | 5 minutes |
      | win-7.example.com | in-use | azure    | win-7   | rival   | <age>  |           |
    When test "login" allocates an azure node by ip
    Then it is given 192.0.2.20
    And no entry has changed

    Examples:
      | age      |
      | 5 hours  |
      | 1 second |

  @NP-2.same-test-id
  Scenario: a node that may never have been given is not given again beside another of its machine, and not taken away
    Given the pool also has:
      | address           | status | platform | machine | test-id | age     |
      | 192.0.2.20        | in-use | azure    | win-7   | login   | 1 hour  |
      | win-7.example.com | in-use | azure    | win-7   | rival   | 5 hours |
    When test "login" allocates an azure node by ip
    Then it is refused with NoneAvailable, fallback allowed
    And the message names "win-7.example.com" and "rival"
    And no entry has changed

  @NP-2.same-test-id
  Scenario Outline: the test id <test id> comes back as it went in
    Given test <test id> has allocated a vsphere node
    When test <test id> allocates a vsphere node
    Then it is given 192.0.2.13
    And the pool shows 192.0.2.13 as in-use by <test id>
    And every YAML reader takes the holder of 192.0.2.13 for <test id>

    Examples: what YAML would take for something else
      | test id        |
      | "1e3"          |
      | "0123"         |
      | "no"           |
      | "null"         |
      | "~"            |
      | "2026-03-31"   |
      | "a: b # c"     |
      | "- [x] {y} &z" |
      | "tëst ☃ 𝒾d"    |

  @NP-2.allocate
  Scenario: a request without a test id is refused before anything is read
    When a node is allocated without a test id
    Then it is refused with InvalidRequest, fallback forbidden
    And nothing was written

  Rule: two addresses of one machine are never handed out together

    @NP-2.allocate
    Scenario: the second address of a machine in use is passed over
      Given the pool also has:
        | address           | status    | platform | address-type | machine | test-id | age    |
        | 192.0.2.20        | in-use    | azure    | ip           | win-7   | network | 1 hour |
        | win-7.example.com | available | azure    | dns          | win-7   |         |        |
      When test "login" allocates an azure node
      Then it is refused with NoneAvailable, fallback allowed

    @NP-2.allocate
    Scenario: a test that holds a machine's IP is not given the same machine's DNS name
      Given the pool also has:
        | address           | status    | platform | address-type | machine | test-id | age    |
        | 192.0.2.20        | in-use    | azure    | ip           | win-7   | network | 1 hour |
        | win-7.example.com | available | azure    | dns          | win-7   |         |        |
        | win-8.example.com | available | azure    | dns          | win-8   |         |        |
      When test "network" allocates an azure node by dns
      Then it is given win-8.example.com

    @NP-2.allocate @needs-node-creation @changes-cluster
    Scenario: where entries name no machine, the addresses of a Node tell
      Given the pool also has:
        | address           | status    | platform | address-type | test-id | age    |
        | 198.51.100.20     | in-use    | azure    | ip           | network | 1 hour |
        | win-9.example.org | available | azure    | dns          |         |        |
      And a Ready Node has the addresses 198.51.100.20 and win-9.example.org
      When test "login" allocates an azure node
      Then it is refused with NoneAvailable, fallback allowed

  Rule: a node that the cluster knows to be unwell is not handed out

    @NP-2.not-ready-node @needs-node-creation @changes-cluster
    Scenario Outline: an available entry whose Node is not Ready is passed over, whichever it is, and <other> is given
      Given the pool also has:
        | address       | status    | platform |
        | 198.51.100.30 | available | azure    |
        | 198.51.100.31 | available | azure    |
      And a Node with the address <unwell> is not Ready
      And a Node with the address <other> is Ready
      When test "login" allocates an azure node
      Then it is given <other>

      Examples:
        | unwell        | other         |
        | 198.51.100.30 | 198.51.100.31 |
        | 198.51.100.31 | 198.51.100.30 |

    @NP-2.not-ready-node @needs-node-creation @changes-cluster
    Scenario: an available entry whose Node is not Ready is quarantined when its turn comes
      Given the pool also has:
        | address       | status    | platform |
        | 198.51.100.40 | available | azure    |
      And a Node with the address 198.51.100.40 is not Ready
      When test "login" allocates an azure node
      Then it is refused with NoneAvailable, fallback allowed
      And the pool shows 198.51.100.40 as quarantined
