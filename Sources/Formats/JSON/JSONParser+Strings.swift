/// Strings and their escapes.
extension JSONParser {
    mutating func string() throws(JSONFault) -> String {
        let start = position
        position += 1
        var text = try plainRun()
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\"") {
                position += 1
                return text
            }
            text.unicodeScalars.append(try escape())
            text += try plainRun()
        }
        let fault = fault("unterminated string")
        // What a missing quote swallowed is searched for the next item.
        if keepsDamaged { position = start + 1 }
        throw fault
    }

    /// The characters up to a quote, a backslash or the end.
    private mutating func plainRun() throws(JSONFault) -> String {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
            bytes[position] != UInt8(ascii: "\\")
        {
            if bytes[position] < 0x20 {
                // A line end may be that of a text whose quote is missing.
                if keepsDamaged, bytes[position] != 0x0A, bytes[position] != 0x0D {
                    repairs.addForeign { [position, bytes] in TextPosition(of: position, in: bytes) }
                    position += 1
                    continue
                }
                throw fault(
                    "unescaped control character", fix: "a line end is written \\n, a tab \\t, others \\u0001"
                )
            }
            position += 1
        }
        return string(start..<position)
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }

    private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
        position += 1
        let plain: Unicode.Scalar? =
            switch peek {
            case UInt8(ascii: "\""): "\""
            case UInt8(ascii: "\\"): "\\"
            case UInt8(ascii: "/"): "/"
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{C}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            default: nil
            }
        if let plain {
            position += 1
            return plain
        }
        guard skip("u") else { throw fault("unknown escape") }
        let unit = try hexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        // A surrogate pair encodes one character.
        let behind = position
        if unit < 0xDC00, skip("\\"), skip("u") {
            let low = try hexadecimal()
            if (0xDC00...0xDFFF).contains(low),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
            {
                return scalar
            }
        }
        guard isSalvaging else { throw fault("unpaired surrogate") }
        // What follows is read on its own.
        position = behind
        repairs.addHalf { TextPosition(of: behind, in: bytes) }
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for index in position..<position + 4 {
            guard index < bytes.count,
                let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
            else { throw fault("expected four hexadecimal digits") }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
