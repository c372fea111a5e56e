import Core
import Foundation
import Testing

/// Reads files with one change or several: none ends the process, takes long or much memory, or changes more than the item in
/// which it is.
///
/// `RUTTER_MUTANTS=500` tries that many of each file, from the seed `RUTTER_MUTANT_SEED`, and prints how many items were lost.
package struct MutantTrial: Sendable {
    private static let variables = ProcessInfo.processInfo.environment
    /// Mutants of each file, half of each kind of change.
    private static let count = variables["RUTTER_MUTANTS"].flatMap(Int.init) ?? 40
    private static let seed = variables["RUTTER_MUTANT_SEED"].flatMap(UInt64.init) ?? 49
    /// Whether the trial has its full length: memory is measured, and each mutant is kept for a process that ends.
    package static let isLong = variables["RUTTER_MUTANTS"] != nil
    /// The limit of time, for files of at most a megabyte.
    private static let longest = Duration.seconds(5)
    /// The limits of memory: kilobytes for each of the file, and beside them.
    private static let kilobytesPerKilobyte = 20
    private static let kilobytesBeside = 200 * 1024

    private let files: [MutableFile]
    private let read: @Sendable (_ bytes: [UInt8], _ name: String) async throws -> [String]

    /// A trial of a reader. `read` returns what is known of each item in the order of the file, or throws a `RutterError` for a file
    /// that is refused; what may stand before the first item is the same for all files.
    package init(
        _ files: [MutableFile],
        read: @escaping @Sendable (_ bytes: [UInt8], _ name: String) async throws -> [String]
    ) {
        (self.files, self.read) = (files, read)
    }

    /// Reads the files themselves, those with a change within one item, and those with changes anywhere.
    package func run() async throws {
        for file in files {
            let whole = try await read(file.bytes, file.name)
            #expect(whole.count >= file.items.count, "\(file.name) itself: \(whole.count) items")
            let count = max(2, Int(Double(Self.count) * file.share))
            // Each file has mutants of its own, whichever others there are.
            let seed = file.name.utf8.reduce(Self.seed &* 1000) { $0 &+ UInt64($1) }
            let wrong =
                file.items.isEmpty
                ? 0 : await changeItems(of: file, whole, SplitMix(seed: seed), count / 2)
            await changeAnything(of: file, SplitMix(seed: ~seed), file.items.isEmpty ? count : count / 2)
            if Self.isLong {
                print("mutants of \(file.name): \(count), of which \(wrong) reached other items")
            }
        }
    }

    /// Changes within one item: all others are as they were. Returns how many reached others.
    private func changeItems(
        of file: MutableFile, _ whole: [String], _ seeded: SplitMix, _ count: Int
    ) async -> Int {
        var random = seeded
        var wrong = 0
        let extra = whole.count - file.items.count
        for index in 0..<count {
            let item = random.below(file.items.count)
            var bytes = file.bytes
            let mutation = Mutation(
                &bytes, in: file.range(of: item), &random, keepsLength: file.keepsLength)
            let words = "\(file.name), mutant \(index) of seed \(Self.seed): \(mutation), item \(item)"
            var lost: [String]
            var added = 0
            do {
                let found = try await bounded(bytes, file.name, words)
                var left = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
                var others = whole
                others.remove(at: item + extra)
                // Without the end of its line, an item is one with the next.
                let end = file.range(of: item).upperBound + bytes.count - file.bytes.count
                if file.isOfLines, bytes[end - 1] != file.items[item].last, item + 1 < file.items.count {
                    others.remove(at: item + extra)
                }
                lost = others.filter { other in
                    guard let count = left[other], count > 0 else { return true }
                    left[other] = count - 1
                    return false
                }
                added = left.values.reduce(0, +)
            } catch {
                lost = ["all: \(error)"]
            }
            guard !lost.isEmpty || added > 2 else { continue }
            wrong += 1
            let isEndless = file.endless.map { open in
                String(decoding: bytes[file.range(of: item).lowerBound..<bytes.count], as: UTF8.self)
                    .contains(open)
            }
            if isEndless == true, lost == Array(whole.dropFirst(item + extra + 1)).suffix(lost.count) {
                continue
            }
            let sample = String(
                decoding: bytes[file.range(of: item).lowerBound...].prefix(200), as: UTF8.self)
            Issue.record(
                "\(words): \(lost.count) other items changed or lost, \(added) added: \(lost.prefix(2)) \(sample.debugDescription)"
            )
        }
        return wrong
    }

    /// Changes anywhere, one or several: the file is read or refused.
    private func changeAnything(of file: MutableFile, _ seeded: SplitMix, _ count: Int) async {
        var random = seeded
        for index in 0..<count {
            var bytes = file.bytes
            var words = "\(file.name), mutant \(index) of seed \(Self.seed):"
            for _ in 0...random.below(4) {
                words += " \(Mutation(&bytes, in: 0..<bytes.count, &random, isWhole: true))"
            }
            do {
                _ = try await bounded(bytes, file.name, words)
            } catch is RutterError {
            } catch {
                Issue.record("\(words): \(error)")
            }
        }
    }

    /// The items of a mutant, read within the bounds of time and memory.
    private func bounded(_ bytes: [UInt8], _ name: String, _ words: String) async throws -> [String] {
        if Self.isLong {
            try Data(bytes).write(
                to: FileManager.default.temporaryDirectory.appendingPathComponent("mutant-\(name)"))
        }
        let before = Self.isLong ? try freshPeak() : 0
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            #expect(clock.now - start < Self.longest, "\(words) took \(clock.now - start)")
            if Self.isLong, let peak = try? peakMemory() {
                let limit = before + Self.kilobytesPerKilobyte * bytes.count / 1024 + Self.kilobytesBeside
                #expect(peak < limit, "\(words) took \(peak - before) kB")
            }
        }
        return try await read(bytes, name)
    }

    /// Kilobytes of memory now, from which the peak is counted anew.
    private func freshPeak() throws -> Int {
        try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        return try peakMemory()
    }
}
