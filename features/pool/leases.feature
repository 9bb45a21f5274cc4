@pool
Feature: Renewing and reclaiming leases
  A test that dies leaves its node in use. Reclaiming takes such nodes back, and never from a holder who still lives:
  a lease's age counts from its last renewal, and a holder is known by test id and allocation time together.

  Background:
    Given a node pool:
      | address    | status    | platform | test-id | age     | renewed   |
      | 192.0.2.10 | in-use    | vsphere  | dead    | 5 hours |           |
      | 192.0.2.11 | in-use    | vsphere  | young   | 1 hour  |           |
      | 192.0.2.12 | in-use    | vsphere  | alive   | 9 hours | 5 minutes |
      | 192.0.2.13 | available | vsphere  |         |         |           |

  Rule: a lease is renewed by its holder alone

    @NP-2.renew
    Scenario: a renewed lease is young again and still the same lease
      When test "dead" renews its lease of 192.0.2.10
      Then it succeeds
      And the entry of 192.0.2.10 was last updated just now
      And the pool shows 192.0.2.10 as in-use by "dead" since 5 hours ago
      And no other entry has changed

    @NP-2.renew
    Scenario: another test cannot renew a lease
      When test "login" renews the lease of 192.0.2.10 that "dead" has
      Then it is refused with NotTheHolder, fallback forbidden
      And no entry has changed

    @NP-2.renew
    Scenario: a lease that the same test took earlier cannot be renewed any more
      When test "young" renews the lease of 192.0.2.11 that it took 3 hours ago
      Then it is refused with NotTheHolder, fallback forbidden
      And no entry has changed

    @NP-2.renew
    Scenario: a lease that passes on while it is renewed stays with its new holder
      Given the node 192.0.2.10 passes to test "rival" just before the first write
      When test "dead" renews its lease of 192.0.2.10
      Then it is refused with NotTheHolder, fallback forbidden
      And the pool shows 192.0.2.10 as in-use by "rival"

  Rule: only leases beyond the limit are reclaimed

    @NP-2.reclaim
    Scenario: leases older than the limit are reclaimed; young and renewed ones are kept
      When leases older than 2 hours are reclaimed
      Then 192.0.2.10 alone is reclaimed
      And the pool shows 192.0.2.10 as available
      And the entry of 192.0.2.10 names no holder
      And no other entry has changed

    @NP-2.reclaim
    Scenario: a lease from the future is kept, and the doubt is reported
      Given the pool also has:
        | address    | status | platform | test-id | ahead   |
        | 192.0.2.20 | in-use | vsphere  | skewed  | 3 hours |
      When leases older than 2 hours are reclaimed
      Then 192.0.2.10 alone is reclaimed
      And 192.0.2.20 is kept with a reason
      And the pool shows 192.0.2.20 as in-use by "skewed"

    @NP-2.reclaim
    Scenario: a node that rested for long is a young lease once it is taken
      Given the pool also has:
        | address    | status    | platform | age     |
        | 192.0.2.20 | available | azure    | 9 hours |
      And test "login" has allocated an azure node
      When leases older than 2 hours are reclaimed
      Then 192.0.2.10 alone is reclaimed
      And the pool shows 192.0.2.20 as in-use by "login"

    @NP-2.reclaim
    Scenario Outline: with the <lock> lock, a holder who renews while leases are reclaimed keeps the node
      Given operations lock by <lock>
      And test "dead" renews its lease of 192.0.2.10 just before the first write
      When leases older than 2 hours are reclaimed
      Then nothing is reclaimed
      And the pool shows 192.0.2.10 as in-use by "dead"

      Examples:
        | lock             |
        | resource-version |
        | entry            |

    @NP-2.reclaim
    Scenario Outline: with the <lock> lock, a new holder is never robbed in place of the old one
      Given operations lock by <lock>
      And the node 192.0.2.10 passes to test "rival" just before the first write
      When leases older than 2 hours are reclaimed
      Then nothing is reclaimed
      And the pool shows 192.0.2.10 as in-use by "rival"

      Examples:
        | lock             |
        | resource-version |
        | entry            |

    @NP-2.reclaim
    Scenario: a limit that is no length of time is refused
      When leases older than -1 hours are reclaimed
      Then it is refused with InvalidRequest, fallback forbidden
      And no entry has changed
