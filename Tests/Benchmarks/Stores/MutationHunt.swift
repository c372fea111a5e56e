import Foundation
import StoreTrials

/// Trials of damaged stores in separate processes, so that a crash or an endless repair is a finding as well.
struct MutationHunt {
    /// The argument of a process that runs trials; followed by seed, first and last number.
    static let worker = "--mutations-from"

    let count: Int
    let seed: UInt64

    /// Runs all trials; returns whether there were no violations.
    func run() throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: MutationTrial.shell) else {
            say("skipped: damaged stores; sqlite3, which checks the copies, is not installed")
            return true
        }
        var (repaired, slowest) = (0, 0.0)
        var violations: [String] = []
        violations += try TrialProcess.run(Self.worker, count, seed) { word, rest in
            switch word {
            case "violation":
                violations.append(rest)
                say("       \(rest)")
            case "repaired": repaired += Int(rest) ?? 0
            case "slowest": slowest = max(slowest, Double(rest) ?? .infinity)
            default: break
            }
        }
        say(
            "\(verdict(violations.isEmpty)) \(count) damaged stores from seed \(seed): \(repaired) repaired, "
                + "\(violations.count) violations")
        say(
            "\(verdict(slowest <= MutationTrial.goal)) the slowest repair: \((slowest * 1000).rounded() / 1000) s of processor "
                + "time per megabyte (goal: \(MutationTrial.goal))")
        for violation in violations { say("       \(violation)") }
        return violations.isEmpty
    }

    /// Runs a process of trials: prints each trial before it starts, and the outcome at the end.
    static func work(_ seed: UInt64, _ numbers: Range<Int>) async throws {
        let outcome = try await MutationTrial(seed: seed, measuresTime: true).run(numbers) {
            say("begin \($0)")
        }
        for violation in outcome.violations {
            say("violation \(violation.replacing("\n", with: " "))")
        }
        say("repaired \(outcome.repaired)")
        say("slowest \(outcome.slowest)")
    }
}

/// Trials of what is recovered, beside a carver and SQLite, and of what is said of the losses.
struct RecoveryHunt {
    /// The argument of a process that runs trials; followed by seed, first and last number.
    static let worker = "--recovery-from"

    let count: Int
    let seed: UInt64

    /// Runs all trials; returns whether there were no violations.
    func run() throws -> Bool {
        var counts: [String: Int] = [:]
        var violations: [String] = []
        violations += try TrialProcess.run(Self.worker, count, seed) { word, rest in
            if word == "violation" {
                violations.append(rest)
                say("       \(rest)")
            } else {
                counts[word, default: 0] += Int(rest) ?? 0
            }
        }
        say(
            "\(verdict(violations.isEmpty)) \(counts["trials", default: 0]) damaged stores with overflow rows and photos from seed "
                + "\(seed): \(counts["readable", default: 0]) rows that a carver or SQLite finds, all recovered but of the violations; "
                + "rows missing in \(counts["losses", default: 0]), said to be complete "
                + "\(counts["complete", default: 0]), losses counted exactly \(counts["exact", default: 0]), "
                + "\(violations.count) violations")
        for violation in violations { say("       \(violation)") }
        return violations.isEmpty && counts["trials"] == count
    }

    /// Runs a process of trials: prints each trial before it starts, and the outcome at the end.
    static func work(_ seed: UInt64, _ numbers: Range<Int>) async throws {
        let outcome = try await RecoveryTrial(seed: seed).run(numbers) { say("begin \($0)") }
        for violation in outcome.violations {
            say("violation \(violation.replacing("\n", with: " "))")
        }
        for (word, number) in [
            ("trials", outcome.trials), ("readable", outcome.readable), ("losses", outcome.losses),
            ("complete", outcome.complete), ("exact", outcome.exact),
        ] {
            say("\(word) \(number)")
        }
    }
}

private func verdict(_ isMet: Bool) -> String { isMet ? "met   " : "MISSED" }
