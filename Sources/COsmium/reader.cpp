#include "COsmium.h"

#include "headers.h"

#if COSMIUM_CAN_BUILD

#include <osmium/io/any_input.hpp>
#include <osmium/osm/relation.hpp>
#include <osmium/osm/way.hpp>
#include <osmium/visitor.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace {

struct Stopped {};

/// Texts, each kept once.
struct TextStore {
    std::vector<int64_t> first_byte{0};
    std::string bytes;
    std::unordered_map<std::string, int32_t> texts;

    int32_t text(const char *value) {
        const auto found = texts.find(value);
        if (found != texts.end()) return found->second;
        const auto index = static_cast<int32_t>(texts.size());
        texts.emplace(value, index);
        bytes += value;
        first_byte.push_back(static_cast<int64_t>(bytes.size()));
        return index;
    }
};

struct WayStore : TextStore {
    std::vector<int64_t> ids;
    std::vector<int64_t> first_ref{0};
    std::vector<int64_t> refs;
    std::vector<int32_t> positions;
    bool has_positions = false;
    std::vector<int32_t> values;

    void tag(const osmium::OSMObject &object, const char *const *keys, size_t count) {
        ids.push_back(object.id());
        for (size_t key = 0; key < count; ++key) {
            const char *value = object.tags().get_value_by_key(keys[key]);
            values.push_back(value ? text(value) : -1);
        }
    }

    /// A node in the way: its tags alone.
    void add(const osmium::Node &node, const char *const *keys, size_t count) {
        tag(node, keys, count);
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    /// A relation: its tags and the ways and relations it has; the latter by their negative ids less one.
    void add(const osmium::Relation &relation, const char *const *keys, size_t count) {
        tag(relation, keys, count);
        for (const auto &member : relation.members()) {
            if (member.type() == osmium::item_type::way) refs.push_back(member.ref());
            if (member.type() == osmium::item_type::relation && member.ref() >= 0) refs.push_back(-member.ref() - 1);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }

    void lend(cosm_ways &ways) {
        ways.count = ids.size();
        ways.ids = ids.data();
        ways.first_ref = first_ref.data();
        ways.refs = refs.data();
        ways.ref_positions = has_positions ? positions.data() : nullptr;
        ways.values = values.data();
        ways.text_count = first_byte.size() - 1;
        ways.first_byte = first_byte.data();
        ways.bytes = bytes.data();
        ways.owner = this;
    }

    void add(const osmium::Way &way, const char *const *keys, size_t count) {
        tag(way, keys, count);
        for (const auto &ref : way.nodes()) {
            refs.push_back(ref.ref());
            const bool known = ref.location().valid();
            has_positions = has_positions || known;
            positions.push_back(known ? ref.location().y() : COSM_UNDEFINED);
            positions.push_back(known ? ref.location().x() : COSM_UNDEFINED);
        }
        first_ref.push_back(static_cast<int64_t>(refs.size()));
    }
};

/// Named things: nodes, and ways that nobody goes on.
struct NameStore : TextStore {
    size_t count = 0;
    std::vector<int32_t> positions;
    std::vector<int64_t> refs;
    std::vector<int32_t> values;

    void add(const osmium::Node &node, const cosm_name_keys &keys) {
        if (!node.location().valid() || !take(node.tags(), keys)) return;
        place(node.location().y(), node.location().x(), 0, 0);
    }

    void add(const osmium::Way &way, const cosm_name_keys &keys) {
        if (way.nodes().empty() || !take(way.tags(), keys)) return;
        const auto &middle = way.nodes()[way.nodes().size() / 2];
        const auto &other = way.is_closed() ? way.nodes().front() : middle;
        const auto here = middle.location(), there = other.location();
        if (!here.valid() || !there.valid()) return place(COSM_UNDEFINED, COSM_UNDEFINED, other.ref(), middle.ref());
        const int64_t apart = int64_t{here.x()} - there.x();
        // Over the antimeridian the mean lies at the other side of the earth.
        const bool is_far = apart > half_turn || apart < -half_turn;
        const auto longitude = is_far ? here.x() : static_cast<int32_t>(there.x() + apart / 2);
        place(static_cast<int32_t>((int64_t{here.y()} + there.y()) / 2), longitude, other.ref(), middle.ref());
    }

    void lend(cosm_names &names) {
        names.count = count;
        names.positions = positions.data();
        names.refs = refs.data();
        names.values = values.data();
        names.text_count = first_byte.size() - 1;
        names.first_byte = first_byte.data();
        names.bytes = bytes.data();
        names.owner = this;
    }

private:
    static constexpr int64_t half_turn = 1'800'000'000;

    /// Keeps a thing's tags if it has a name and a kind; whether it does.
    bool take(const osmium::TagList &tags, const cosm_name_keys &keys) {
        if (tags.empty() || !tags.has_key(keys.keys[0])) return false;
        const auto kinds = keys.keys + 1;
        if (!std::any_of(kinds, kinds + keys.kind_count, [&](const char *key) { return tags.has_key(key); })) {
            return false;
        }
        for (size_t key = 0; key < keys.key_count; ++key) {
            const char *value = tags.get_value_by_key(keys.keys[key]);
            values.push_back(value ? text(value) : -1);
        }
        ++count;
        return true;
    }

    void place(int32_t latitude, int32_t longitude, int64_t first, int64_t second) {
        positions.push_back(latitude);
        positions.push_back(longitude);
        refs.push_back(first);
        refs.push_back(second);
    }
};

/// Positions by sorted ids: files are sorted as a rule, so the next id is looked for near the last.
struct NodeStore {
    const int64_t *ids;
    size_t count;
    int32_t *latitudes;
    int32_t *longitudes;
    size_t cursor = 0;

    /// Keeps the position of a node that was asked for; whether it was.
    bool add(const osmium::Node &node) {
        const int64_t id = node.id();
        if (cursor >= count || ids[cursor] > id) {
            if (cursor > 0 && ids[cursor - 1] < id) return false;
            cursor = 0;
        }
        size_t step = 1;
        size_t low = cursor;
        while (low + step < count && ids[low + step] <= id) {
            low += step;
            step *= 2;
        }
        const size_t high = std::min(count, low + step);
        cursor = static_cast<size_t>(std::lower_bound(ids + low, ids + high, id) - ids);
        if (cursor < count && ids[cursor] == id && node.location().valid()) {
            latitudes[cursor] = node.location().y();
            longitudes[cursor] = node.location().x();
            return true;
        }
        return false;
    }
};

cosm_result failure(cosm_status status, const char *message, uint64_t offset) {
    cosm_result result;
    std::memset(&result, 0, sizeof result);
    result.status = status;
    result.offset = offset;
    std::strncpy(result.message, message, sizeof result.message - 1);
    return result;
}

/// Reads a file with every exception caught; `take` gets each object.
template <typename Take>
cosm_result read(
    const char *path, osmium::osm_entity_bits::type bits, cosm_progress progress, void *context, Take &&take) {
    uint64_t offset = 0;
    try {
        osmium::io::Reader reader{osmium::io::File{path}, bits, osmium::io::read_meta::no};
        try {
            while (const osmium::memory::Buffer buffer = reader.read()) {
                for (const auto &item : buffer) take(item);
                offset = reader.offset();
                if (progress && progress(context, offset, reader.file_size()) != 0) throw Stopped{};
            }
            reader.close();
        } catch (...) {
            offset = std::max<uint64_t>(offset, reader.offset());
            throw;
        }
        return failure(cosm_ok, "", offset);
    } catch (const Stopped &) {
        return failure(cosm_stopped, "", offset);
    } catch (const osmium::unsupported_file_format_error &error) {
        return failure(cosm_kind, error.what(), offset);
    } catch (const osmium::pbf_error &error) {
        const bool feature = std::strstr(error.what(), "required feature") != nullptr;
        return failure(feature ? cosm_feature : cosm_damaged, error.what(), offset);
    } catch (const osmium::io_error &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (const std::system_error &error) {
        return failure(cosm_system, error.what(), offset);
    } catch (const std::bad_alloc &) {
        return failure(cosm_memory, "out of memory", offset);
    } catch (const std::exception &error) {
        return failure(cosm_damaged, error.what(), offset);
    } catch (...) {
        return failure(cosm_damaged, "unknown failure", offset);
    }
}

}  // namespace

extern "C" cosm_result cosm_read_ways(
    const char *path, const char *const *keys, size_t key_count, const cosm_name_keys *name_keys,
    cosm_progress progress, void *context, cosm_ways *ways, cosm_names *names) {
    std::memset(ways, 0, sizeof *ways);
    std::memset(names, 0, sizeof *names);
    auto *store = new (std::nothrow) WayStore;
    auto *named = new (std::nothrow) NameStore;
    if (!store || !named) {
        delete store;
        delete named;
        return failure(cosm_memory, "out of memory", 0);
    }
    const auto result = read(path, osmium::osm_entity_bits::way, progress, context, [&](const auto &item) {
        if (item.type() != osmium::item_type::way) return;
        const auto &way = static_cast<const osmium::Way &>(item);
        const auto &tags = way.tags();
        if (tags.has_key(keys[0]) || tags.has_tag("route", "ferry") || tags.has_tag("railway", "platform")) {
            store->add(way, keys, key_count);
        } else {
            named->add(way, *name_keys);
        }
    });
    named->lend(*names);
    store->lend(*ways);
    return result;
}

extern "C" void cosm_free_ways(cosm_ways *ways) {
    delete static_cast<WayStore *>(ways->owner);
    std::memset(ways, 0, sizeof *ways);
}

extern "C" cosm_result cosm_read_nodes(
    const char *path, const int64_t *ids, size_t count, const cosm_name_keys *name_keys,
    const cosm_name_keys *obstacle_keys, cosm_progress progress, void *context, int32_t *latitudes,
    int32_t *longitudes, uint64_t *seen, cosm_names *names, cosm_ways *obstacles) {
    std::memset(names, 0, sizeof *names);
    std::memset(obstacles, 0, sizeof *obstacles);
    auto *named = new (std::nothrow) NameStore;
    auto *stopping = new (std::nothrow) WayStore;
    if (!named || !stopping) {
        delete named;
        delete stopping;
        return failure(cosm_memory, "out of memory", 0);
    }
    NodeStore store{ids, count, latitudes, longitudes};
    uint64_t total = 0;
    const auto result = read(path, osmium::osm_entity_bits::node, progress, context, [&](const auto &item) {
        if (item.type() != osmium::item_type::node) return;
        ++total;
        const auto &node = static_cast<const osmium::Node &>(item);
        const bool is_wanted = store.add(node);
        if (node.tags().empty()) return;
        named->add(node, *name_keys);
        const auto marks = obstacle_keys->keys;
        if (is_wanted && std::any_of(marks, marks + obstacle_keys->kind_count, [&](const char *key) {
                return node.tags().has_key(key);
            })) {
            stopping->add(node, obstacle_keys->keys, obstacle_keys->key_count);
        }
    });
    *seen = total;
    named->lend(*names);
    stopping->lend(*obstacles);
    return result;
}

extern "C" cosm_result cosm_read_routes(
    const char *path, const char *const *keys, size_t key_count, cosm_progress progress, void *context,
    cosm_ways *routes) {
    std::memset(routes, 0, sizeof *routes);
    auto *store = new (std::nothrow) WayStore;
    if (!store) return failure(cosm_memory, "out of memory", 0);
    const auto result = read(path, osmium::osm_entity_bits::relation, progress, context, [&](const auto &item) {
        if (item.type() != osmium::item_type::relation) return;
        const auto &relation = static_cast<const osmium::Relation &>(item);
        const char *route = relation.tags().get_value_by_key("route");
        if (route && (std::strcmp(route, "hiking") == 0 || std::strcmp(route, "foot") == 0)) {
            store->add(relation, keys, key_count);
        }
    });
    store->lend(*routes);
    return result;
}

extern "C" void cosm_free_names(cosm_names *names) {
    delete static_cast<NameStore *>(names->owner);
    std::memset(names, 0, sizeof *names);
}

#include "places.hpp"

#else

extern "C" cosm_result cosm_read_places(const char *, cosm_progress, void *, cosm_places *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_places(cosm_places *) {}

extern "C" cosm_result cosm_read_ways(
    const char *, const char *const *, size_t, const cosm_name_keys *, cosm_progress, void *, cosm_ways *, cosm_names *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_ways(cosm_ways *) {}

extern "C" cosm_result cosm_read_nodes(
    const char *, const int64_t *, size_t, const cosm_name_keys *, const cosm_name_keys *, cosm_progress, void *,
    int32_t *, int32_t *, uint64_t *, cosm_names *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" cosm_result cosm_read_routes(
    const char *, const char *const *, size_t, cosm_progress, void *, cosm_ways *) {
    return {cosm_kind, "built without libosmium", 0};
}

extern "C" void cosm_free_names(cosm_names *) {}

#endif
