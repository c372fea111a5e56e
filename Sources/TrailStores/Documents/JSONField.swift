/// Any JSON, so that what a file has beyond what is known here is written back as it was.
public indirect enum JSONField: Codable, Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONField])
    case object([String: JSONField])

    /// Takes whatever comes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder tells what a value is only by failing to read it as something else.
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([JSONField].self) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSONField].self))
        }
    }

    /// Writes it as it was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let items): try container.encode(items)
        case .object(let fields): try container.encode(fields)
        }
    }

    /// The text, if it is one.
    public var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The number, if it is one.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The flag, if it is one.
    public var flag: Bool? {
        if case .boolean(let flag) = self { return flag }
        return nil
    }

    /// A number as short as it can be written.
    public init(_ number: Double) {
        self = number == number.rounded() && abs(number) < 1e15 ? .integer(Int64(number)) : .number(number)
    }
}
