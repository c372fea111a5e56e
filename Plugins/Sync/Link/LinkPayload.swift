import Formats
import Foundation
import TrailStores

/// A transfer dictionary as JSON. Binary values are base64, under the keys in `byteKeys`.
enum LinkPayload {
    private static let byteKeys: Set<String> = ["thumbnailData"]

    static func text(_ payload: [String: TransferDictionary.Primitive]) throws -> String {
        let members = try payload.map { key, value -> JSONTree.Member in
            switch value {
            case .text(let text): return .init(key, .text(text))
            case .number(let number):
                guard number.isFinite else { throw LinkErrors.payload("`\(key)` is not a finite number") }
                return .init(key, JSONTree(number))
            case .boolean(let flag): return .init(key, .boolean(flag))
            case .data(let data): return .init(key, .text(data.base64EncodedString()))
            }
        }
        return JSONTree.object(members).sorted.compactText
    }

    /// The link carries only flat objects of strings, numbers and booleans.
    static func read(_ text: String) -> [String: TransferDictionary.Primitive]? {
        // The reason a payload is invalid does not matter: the receiver treats it as unknown.
        guard let members = (try? JSONTree(parsing: Data(text.utf8)))?.members else { return nil }
        var payload: [String: TransferDictionary.Primitive] = [:]
        for member in members {
            switch member.value {
            case .boolean(let flag): payload[member.key] = .boolean(flag)
            case .number:
                guard let number = member.value.number, number.isFinite else { return nil }
                payload[member.key] = .number(number)
            case .text(let text):
                let bytes = byteKeys.contains(member.key) ? Data(base64Encoded: text) : nil
                payload[member.key] = bytes.map { .data($0) } ?? .text(text)
            default: return nil
            }
        }
        return payload
    }
}
