#pragma once
// One control for each parameter of an encoding, made from its spec: combo boxes, check boxes, numbers with a slider
// where the range calls for one. A new encoding needs no code here.

#include <QStringList>
#include <QWidget>

#include "core/encoding/position_encoding.h"

class QGridLayout;

namespace sextant {

class ParameterForm : public QWidget {
    Q_OBJECT

  public:
    explicit ParameterForm(QWidget* parent = nullptr);
    // Keeps what was entered while the spec stays the same.
    void setEncoding(const EncodingSpec& spec, const ParameterValues& given);
    // Parameters that have no effect in the present state are left out.
    void setLeftOut(const QStringList& names);
    [[nodiscard]] const ParameterValues& values() const { return values_; }  // only what departs from the defaults

  Q_SIGNALS:
    void changed();

  private:
    void rebuild(const EncodingSpec& spec);
    void set(const ParameterSpec& parameter, const QString& text);

    std::string id_;
    ParameterValues values_;
    QGridLayout* grid_;
    std::vector<std::pair<QString, QList<QWidget*>>> fields_;
};

}  // namespace sextant
