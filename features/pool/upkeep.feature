@pool
Feature: Keeping the pool
  An administrator adds, removes, quarantines and repairs hosts, and sees what the pool holds.

  Background:
    Given a node pool:
      | address           | status      | platform | address-type | test-id | age    |
      | 192.0.2.10        | available   | vsphere  | ip           |         |        |
      | 192.0.2.11        | in-use      | vsphere  | ip           | upgrade | 1 hour |
      | win-2.example.com | in-use      | aws      | dns          | network | 1 hour |
      | 192.0.2.13        | quarantined | aws      | ip           |         |        |

  @NP-2.stats
  Scenario: stats count every entry once, by state and by platform
    Given the entry of 192.0.2.14 reads:
      """
      this is not a pool entry
      """
    When the stats are asked for
    Then the stats are:
      | enabled | total | available | in-use | quarantined | malformed |
      | true    | 5     | 1         | 2      | 1           | 1         |
    And the stats count by platform:
      | vsphere | aws |
      | 2       | 2   |

  @NP-2.list
  Scenario: the list shows every entry, and every malformed one with the field that is wrong
    Given the entry of 192.0.2.14 has no platform
    When the pool is listed
    Then the list shows:
      | address           | status      | platform | address-type | test-id |
      | 192.0.2.10        | available   | vsphere  | ip           |         |
      | 192.0.2.11        | in-use      | vsphere  | ip           | upgrade |
      | 192.0.2.13        | quarantined | aws      | ip           |         |
      | win-2.example.com | in-use      | aws      | dns          | network |
    And the list sets 192.0.2.14 aside for its platform

  @NP-2.add
  Scenario Outline: a host added as <status> is in the pool and in that state
    When 192.0.2.20 is added as <status>
    Then it succeeds
    And the pool shows 192.0.2.20 as <status>
    And no other entry has changed

    Examples:
      | status      |
      | available   |
      | quarantined |

  @NP-2.add
  Scenario: an added host can be allocated
    Given azure host 192.0.2.20 has been added
    When test "login" allocates an azure node
    Then it is given 192.0.2.20

  @NP-2.add
  Scenario: an address that the pool has already is not added again
    When 192.0.2.11 is added as available
    Then it is refused with EntryExists, fallback forbidden
    And the message names "192.0.2.11" and "windows-node-pool"
    And no entry has changed

  @NP-2.add
  Scenario: a host that somebody else adds meanwhile is not overwritten
    Given another writer adds 192.0.2.20, which test "rival" takes, just before the first write
    When 192.0.2.20 is added as available
    Then it is refused with EntryExists, fallback forbidden
    And the pool shows 192.0.2.20 as in-use by "rival"

  @NP-2.remove
  Scenario: removing a host that the pool does not have is refused
    When 192.0.2.99 is removed
    Then it is refused with EntryMissing, fallback forbidden
    And no entry has changed

  @NP-2.remove
  Scenario Outline: a host that is <status> can be removed
    When <address> is removed
    Then it succeeds
    And the pool has no entry of <address>
    And no other entry has changed

    Examples:
      | address    | status      |
      | 192.0.2.10 | available   |
      | 192.0.2.13 | quarantined |

  @NP-2.remove
  Scenario: a host in use is removed by force only
    When 192.0.2.11 is removed by force
    Then it succeeds
    And the pool has no entry of 192.0.2.11

  @NP-2.remove
  Scenario: a host that is taken while it is removed stays with its holder
    Given the node 192.0.2.10 passes to test "rival" just before the first write
    When 192.0.2.10 is removed
    Then it is refused with InvalidTransition, fallback forbidden
    And the pool shows 192.0.2.10 as in-use by "rival"

  @NP-2.update-status
  Scenario: an update rewrites its own entry alone, and keeps what it does not know there
    Given the entry of 192.0.2.15 reads:
      """
      # rack 7, second from below
      status: available   # checked by hand
      username: "Administrator"
      address-type: ip
      platform: vsphere
      serial: 0042
      """
    And the pool has neighbours with comments, tabs, CRLF and odd quoting
    When 192.0.2.15 is set to quarantined
    Then it succeeds
    And the entry of 192.0.2.15 still says "# rack 7, second from below", "# checked by hand" and "serial: 0042"
    And no other entry has changed

  @NP-2.update-status
  Scenario: an entry that cannot be read is never rewritten
    Given the entry of 192.0.2.14 reads:
      """
      status: {
      """
    When 192.0.2.14 is set to quarantined
    Then it is refused with EntryMalformed, fallback forbidden
    And the message names "192.0.2.14" and "windows-node-pool"
    And no entry has changed
