@pool
Feature: Releasing a node
  Only the holder gives a node back. What the holder says of it decides whether the next test may have it.

  Background:
    Given a node pool:
      | address    | status      | platform | test-id | age     |
      | 192.0.2.10 | in-use      | vsphere  | upgrade | 2 hours |
      | 192.0.2.11 | in-use      | vsphere  | network | 1 hour  |
      | 192.0.2.12 | available   | vsphere  |         |         |
      | 192.0.2.13 | quarantined | vsphere  |         |         |

  @NP-2.release
  Scenario: a released node is available again, without a trace of its holder
    When test "upgrade" releases 192.0.2.10
    Then it succeeds
    And the pool shows 192.0.2.10 as available
    And the entry of 192.0.2.10 names no holder
    And no other entry has changed

  @NP-2.release
  Scenario Outline: releasing a node that is <status> already succeeds and changes nothing, since an answer may have been lost
    When test "upgrade" releases <address>
    Then it succeeds
    And no entry has changed
    And nothing was written

    Examples:
      | address    | status      |
      | 192.0.2.12 | available   |
      | 192.0.2.13 | quarantined |

  @NP-2.release-failed
  Scenario: a node released as failed is quarantined, without a trace of its holder
    When test "upgrade" releases 192.0.2.10 as failed
    Then it succeeds
    And the pool shows 192.0.2.10 as quarantined
    And the entry of 192.0.2.10 names no holder

  @NP-2.release-by-stranger
  Scenario: a node held by another test is left alone
    When test "login" releases 192.0.2.10
    Then it is refused with NotTheHolder, fallback forbidden
    And the message names "192.0.2.10" and "upgrade"
    And no entry has changed

  @NP-2.release-by-stranger
  Scenario: a stranger cannot have a node quarantined either
    When test "login" releases 192.0.2.10 as failed
    Then it is refused with NotTheHolder, fallback forbidden
    And no entry has changed

  @NP-2.release-by-stranger
  Scenario: an earlier lease of the same test cannot end a later one
    When test "upgrade" releases the lease of 192.0.2.10 that it took 5 hours ago
    Then it is refused with NotTheHolder, fallback forbidden
    And no entry has changed

  @NP-2.release-by-stranger
  Scenario: a node that passed to another test while its release was under way stays with that test
    Given the node 192.0.2.10 passes to test "rival" just before the first write
    When test "upgrade" releases 192.0.2.10
    Then it is refused with NotTheHolder, fallback forbidden
    And the pool shows 192.0.2.10 as in-use by "rival"

  @NP-2.release
  Scenario: releasing an address that the pool does not have is refused
    When test "upgrade" releases 192.0.2.99
    Then it is refused with EntryMissing, fallback forbidden
    And the message names "192.0.2.99" and "windows-node-pool"
