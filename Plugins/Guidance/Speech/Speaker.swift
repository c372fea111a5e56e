import Foundation
import PluginKit

/// Speaks while a walk is played: the present words to their end, then the newest of those that came meanwhile.
actor Speaker {
    private let program: SpeechProgram
    private let folder: URL
    private var waiting: String?
    private var present: Task<Void, any Error>?
    /// Why it could not speak; it says nothing more then.
    private(set) var failure: (any Error)?

    init(_ program: SpeechProgram, folder: URL) {
        self.program = program
        self.folder = folder
    }

    /// Speaks words, or keeps them until those that are spoken have ended.
    func say(_ text: String) {
        guard failure == nil else { return }
        waiting = text
        guard present == nil else { return }
        present = Task { try await speakAll() }
    }

    private func speakAll() async throws {
        defer { present = nil }
        while let text = waiting {
            waiting = nil
            do {
                try await program.say(text, in: folder) { try Task.checkCancellation() }
            } catch {
                if !Task.isCancelled { failure = error }
                return
            }
        }
    }

    /// Stops at once.
    func stop() async {
        waiting = nil
        guard let present else { return }
        present.cancel()
        // It ends with an error because it was cancelled.
        _ = await present.result
    }
}
