import SyncTrials
import Testing

@testable import SyncPlugin

/// Random schedules against the real engine: no violation under the right rules, one under each planted fault.
@Suite struct HuntTests {
    @Test func noViolationWithEveryFault() {
        let findings = Simulation.hunt(SimulationSetup(), schedules: 1000, steps: 60, seed: 7)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
        let wide = Simulation.hunt(
            SimulationSetup(devices: 5), schedules: 4, steps: 200, seed: 11)
        #expect(wide.violations == 0, "\(String(describing: wide.first))")
    }

    /// A value that a deletion removes from the cloud does not return even temporarily, unless devices lose
    /// their data.
    @Test func nothingDeletedComesBack() {
        var setup = SimulationSetup(faults: Faults([.putBack, .restore, .forget, .offline, .duplicate]))
        setup.watchesDeletions = true
        let findings = Simulation.hunt(setup, schedules: 100, steps: 60, seed: 5)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
    }

    @Test func anEditMayWinOverADeletion() {
        let findings = Simulation.hunt(
            SimulationSetup(rule: .editWins), schedules: 60, steps: 60, seed: 3)
        #expect(findings.violations == 0, "\(String(describing: findings.first))")
    }

    /// Schedules found by long searches, each a fixed way to lose data.
    private static let found = [
        // The report of a save that was given up was replaced by that of a copy of the device's data, which had sent less.
        """
        edit 0 5 0; edit 1 2 0; edit 2 1 0; edit 0 2 0; unknown 2 3 0; copy 1 3 0; edit 0 3 0; sync 1 3 29625; sync 2 4 57318; \
        sync 0 3 19694; putBack 2 2 0; delete 0 2 0; emptyStore 2 2 0; clone 2 4 0; sync 0 1 52599; sync 0 5 49199; \
        sync 2 1 55174; sync 0 5 48146; sync 2 5 35572
        """,
        // A save whose answer was lost, and which its device gave up after the record was deleted, arrived again: nothing had been
        // read since, so that no report told the cloud of it.
        """
        edit 0 5 0; edit 1 2 0; edit 2 1 0; edit 0 2 0; unknown 2 3 0; copy 1 3 0; edit 0 3 0; sync 1 3 29625; sync 2 4 57318; \
        sync 0 3 19694; putBack 2 2 0; delete 0 2 0; emptyStore 2 2 0; edit 0 3 2; sync 0 1 52599; sync 0 5 49199; sync 2 1 55174; \
        sync 0 5 48146; sync 2 5 35572
        """,
        // A value waited with its record for a photo that no device had, in a column that the app dropped meanwhile.
        """
        edit 0 0 0; sync 0 0 61440; sync 1 0 61440; edit 1 0 2; sync 1 0 61440; losePhoto 0 0 2; reinstall 1 0 0; edit 0 0 3; \
        sync 0 0 61440; account 0 0 0; sync 0 0 61440; shrink 0 0 0
        """,
        // The request of a device that is gone arrived again after the cloud had lost it: there it is a first one.
        """
        edit 0 1 0; sync 0 0 61440; sync 1 0 61440; copy 0 0 0; edit 1 1 0; sync 1 0 61440; putBack 0 0 0; reinstall 1 0 0
        """,
        // No device knew a discarded deletion any more but one whose app's store was emptied: its missing row is no deletion.
        """
        edit 1 1 0; sync 1 5 53654; delete 1 1 0; sync 1 3 55886; edit 4 1 0; reinstall 1 4 0; sync 3 2 27386; forget 4 0 0; \
        sync 4 0 47387; sync 1 5 65138; emptyStore 1 3 0; reinstall 3 1 0
        """,
        // A deletion whose tombstone was discarded while the app's store was emptied, or its row could not be read, was
        // forgotten there.
        """
        edit 1 1 0; sync 1 0 49274; sync 0 3 36672; emptyStore 1 1 0; delete 0 1 0; edit 0 3 0; sync 0 3 20778; forget 0 1 0; \
        sync 1 3 53017
        """,
        """
        edit 0 1 0; sync 0 2 60944; delete 0 1 0; sync 2 2 59213; sync 0 2 43503; forget 1 1 0; spoil 2 1 0; sync 2 0 36751
        """,
        // A write that a crash had prevented counted as done once the row could not be read.
        """
        edit 2 3 0; sync 0 0 22833; sync 0 1 21538; edit 1 0 0; crashMid 0 3 2; sync 2 2 51781; sync 0 2 37297; edit 0 3 0; \
        spoil 0 3 0; sync 1 0 43954; sync 0 1 16952
        """,
        // A photo that does not travel over the watch link counted as known there.
        """
        edit 1 3 0; link 3 3 0; edit 3 3 0; sync 3 5 47366; sync 0 3 59132; delete 0 3 0; relay 1 1 1; edit 0 3 0; link 2 3 0; \
        relay 3 4 19035
        """,
        // A device deleted over the link what it had without its photo.
        "edit 1 0 0; link 1 0 0; relay 0 0 2; delete 0 0 0; link 0 0 0; relay 1 0 2; sync 1 0 61440",
        // A device that came back from a backup knows nothing of what it wrote after it.
        """
        edit 1 0 0; sync 1 0 61440; backup 1 0 0; edit 1 0 0; sync 1 0 61440; sync 0 0 61440; bringBack 1 0 0; edit 1 0 0; \
        link 1 0 0; relay 0 0 2; sync 0 0 61440
        """,
        // Two devices write under one identity, one of them over the link.
        """
        edit 1 0 0; sync 1 0 61440; clone 1 0 0; edit 2 0 0; sync 2 0 61440; edit 1 0 0; link 1 0 0; sync 0 0 61440; relay 0 0 2; \
        link 0 0 0; relay 1 0 2
        """,
        // A tombstone that was discarded came back with a copy of the cloud, to a device that had recreated
        // the record.
        """
        edit 1 1 0; edit 2 2 0; sync 2 3 33077; delete 2 2 0; sync 2 1 56467; sync 1 2 47938; copy 1 0 0; edit 2 2 0; \
        forget 1 1 0; sync 2 0 21182; putBack 1 1 0; sync 2 0 6915
        """,
        // An operation that the cloud had discarded with its tombstone arrived again, with a token equal to
        // the floor.
        """
        clone 2 2 1; edit 0 0 0; edit 0 2 0; sync 0 1 49371; edit 1 3 0; edit 2 0 0; sync 1 3 53907; sync 2 1 58947; \
        reinstall 2 0 0
        """,
        // A record that waited for its photo was forgotten when an older save of it was acknowledged.
        "sync 2 2 35595; edit 2 0 0; sync 2 2 23068; edit 0 0 0; sync 0 0 38609; losePhoto 1 2 2",
        // One was forgotten by a full fetch that was cut, and the cloud was put back to where the old token holds.
        """
        edit 4 0 0; sync 4 3 52170; losePhoto 2 3 0; sync 1 3 22445; sync 1 5 56353; edit 1 1 0; edit 2 4 0; sync 2 5 53889; \
        copy 4 5 0; sync 2 3 47464; forget 0 0 0; sync 1 5 52731; putBack 2 5 0; sync 1 0 33455
        """,
        // What came over the link, with the cloud's version as its sender knew it, counted as deleted in a cloud that was put
        // back to before it.
        """
        edit 0 0 0; copy 3 5 0; sync 0 4 62014; link 2 0 0; putBack 2 3 0; relay 2 3 1; sync 1 0 58946; sync 0 3 34543; \
        link 3 0 0; sync 0 1 35624; relay 2 2 26812
        """,
        // An edit in a row that could not be read counted as known when an item of the link was merged.
        """
        edit 1 1 0; sync 1 3 55397; sync 0 0 40418; link 2 1 0; edit 1 1 0; spoil 1 1 0; relay 2 2 1
        """,
        // The item waits, and is merged with the edit once the row can be read.
        """
        edit 1 1 0; sync 1 3 55397; sync 0 0 40418; link 2 1 0; edit 1 1 0; spoil 1 1 0; relay 2 2 2; mend 1 1 0; relay 2 2 2
        """,
        // A device that came back from a backup created a record again whose deletion the cloud had discarded; another device
        // brought the deleted one back.
        """
        backup 1 2 0; edit 0 3 0; edit 0 1 0; edit 1 1 0; sync 0 1 63474; delete 0 1 0; sync 0 0 49247; sync 1 1 34795; \
        edit 1 1 0; sync 1 1 61519; sync 2 0 41052; delete 1 1 0; sync 1 2 25688; bringBack 1 1 0; edit 1 1 0; forget 0 0 0
        """,
    ]

    @Test(arguments: found)
    func whatWasFoundOnceHolds(_ schedule: String) throws {
        for devices in [3, 5] {
            let actions = try SimulatedAction.parse(schedule).get()
            #expect(Simulation.run(actions, SimulationSetup(devices: devices)) == nil, "\(schedule)")
        }
    }

    /// The seed of the hunt that `sync-bench --hunt` runs.
    private static let seed: UInt64 = 20_260_206
    /// Schedules within which a planted fault must be caught here; the rarest take the longer hunt of `sync-bench`.
    private static let patience = 2_000

    @Test(arguments: PlantedFault.all.indices)
    func aPlantedFaultIsCaught(_ index: Int) throws {
        let fault = PlantedFault.all[index]
        let found = try #require(
            fault.hunt(within: Self.patience, steps: 60, seed: Self.seed), "\(fault.name)")
        // The same steps under the right rules lose nothing: the fault is the cause, not the
        // schedule.
        #expect(Simulation.run(found.actions, fault.setup) == nil, "\(fault.name)")
    }

    @Test func aFailingScheduleIsShrunk() throws {
        let setup = SimulationSetup(rule: .seed)
        let actions = Simulation.schedule(setup, seed: Simulation.seed(Self.seed, 0), steps: 60)
        let violation = try #require(Simulation.run(actions, setup))
        let short = Simulation.shrink(actions, setup, invariant: violation.invariant)
        #expect(short.count <= 12)
        #expect(Simulation.run(short, setup)?.invariant == violation.invariant)
        // No further step can be removed.
        for index in short.indices {
            var less = short
            less.remove(at: index)
            #expect(Simulation.run(less, setup)?.invariant != violation.invariant)
        }
    }

    @Test func theSameSeedGivesTheSameTrace() throws {
        func trace() -> [String] {
            let collector = TraceLogging.log(seed: 42)
            return collector
        }
        #expect(trace() == trace())
        #expect(trace().count > 60)
    }
}
