#include "widgets/forms/parameter_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSlider>
#include <cmath>

#include "core/base/text.h"
#include "widgets/forms/quiet_label.h"

namespace sextant {

namespace {

constexpr int kSliderSteps = 400;

// Sliders move over a sensible part of the range: two decades around the default, never outside the limits.
struct SliderRange {
    double low = 0.0, high = 1.0;
    bool logarithmic = false;
    [[nodiscard]] double value(int position) const {
        const double share = static_cast<double>(position) / kSliderSteps;
        return logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share;
    }
    [[nodiscard]] int position(double at) const {
        const double share =
            logarithmic ? std::log(std::max(at, low) / low) / std::log(high / low) : (at - low) / (high - low);
        return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kSliderSteps));
    }
};

double numberOf(const ParameterValue& value, double otherwise) {
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    return otherwise;
}

SliderRange sliderRange(const ParameterSpec& parameter) {
    const double usual = numberOf(parameter.default_value, 64.0);
    SliderRange range;
    if (usual >= 4 && parameter.maximum > usual * 100) {
        range.low = std::max(parameter.minimum, usual / 100);
        if (range.low <= 0) range.low = 1;
        range.high = std::min(parameter.maximum, usual * 100);
        range.logarithmic = true;
    } else {
        range.low = parameter.minimum;
        range.high = std::min(parameter.maximum, std::max(1.0, usual) * 16);
    }
    if (parameter.minimum_open && range.low <= parameter.minimum)
        range.low = parameter.minimum + (range.high - parameter.minimum) / kSliderSteps;
    if (!(range.high > range.low)) range.high = range.low + 1;
    return range;
}

}  // namespace

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent) {
    grid_ = new QGridLayout(this);
    grid_->setContentsMargins(scaled(12), scaled(8), scaled(12), scaled(8));
    grid_->setHorizontalSpacing(scaled(10));
    grid_->setVerticalSpacing(scaled(8));
    grid_->setColumnStretch(1, 1);
}

void ParameterForm::setEncoding(const EncodingSpec& spec, const ParameterValues& given) {
    values_ = given;
    id_ = spec.id;
    rebuild(spec);
}

void ParameterForm::setLeftOut(const QStringList& names) {
    for (const auto& [name, widgets] : fields_) {
        for (QWidget* widget : widgets)
            widget->setVisible(!names.contains(name));
    }
}

void ParameterForm::set(const ParameterSpec& parameter, const QString& text) {
    const std::string plain = text.trimmed().toStdString();
    if (plain.empty()) {
        values_.erase(parameter.name);
    } else if (parameter.type == ParameterType::kReal) {
        if (const auto value = parse_double(plain)) values_[parameter.name] = *value;
    } else if (parameter.type == ParameterType::kInteger) {
        if (const auto value = parse_integer(plain)) values_[parameter.name] = *value;
    } else {
        values_[parameter.name] = plain;
    }
    Q_EMIT changed();
}

void ParameterForm::rebuild(const EncodingSpec& spec) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    fields_.clear();
    int row = 0;
    for (const ParameterSpec& parameter : spec.parameters) {
        const QString name = QString::fromStdString(parameter.name);
        const auto given = values_.find(parameter.name);
        const ParameterValue value = given != values_.end() ? given->second : parameter.default_value;
        const QString text = QString::fromStdString(to_text(value));
        auto* label = new QuietLabel(name, TextRole::kNote, QuietLabel::Ink::kText);
        label->setToolTip(QString::fromStdString(parameter.description));
        grid_->addWidget(label, row, 0);
        switch (parameter.type) {
            case ParameterType::kBoolean: {
                auto* box = new QCheckBox;
                box->setAccessibleName(name);
                box->setChecked(text == "true");
                connect(box, &QCheckBox::toggled, this, [this, key = parameter.name](bool on) {
                    values_[key] = on;
                    Q_EMIT changed();
                });
                grid_->addWidget(box, row, 1, 1, 2);
                break;
            }
            case ParameterType::kChoice: {
                auto* box = new QComboBox;
                box->setAccessibleName(name);
                for (const std::string& choice : parameter.choices)
                    box->addItem(QString::fromStdString(choice));
                box->setCurrentText(text);
                connect(box, &QComboBox::textActivated, this,
                        [this, parameter](const QString& choice) { set(parameter, choice); });
                grid_->addWidget(box, row, 1, 1, 2);
                break;
            }
            case ParameterType::kReal:
            case ParameterType::kInteger: {
                const SliderRange range = sliderRange(parameter);
                auto* slider = new QSlider(Qt::Horizontal);
                slider->setAccessibleName(name);
                slider->setRange(0, kSliderSteps);
                slider->setValue(range.position(numberOf(value, range.low)));
                auto* edit = new QLineEdit(text);
                edit->setFont(textFont(TextRole::kValue));
                edit->setAlignment(Qt::AlignRight);
                edit->setFixedWidth(scaled(72));
                edit->setAccessibleName(name);
                if (parameter.optional && text.isEmpty()) edit->setPlaceholderText(tr("derived"));
                const bool whole = parameter.type == ParameterType::kInteger;
                connect(slider, &QSlider::valueChanged, this, [this, parameter, range, edit, whole](int position) {
                    const double at = range.value(position);
                    const QString shown =
                        whole ? QString::number(std::llround(at)) : QString::number(at, 'g', at >= 1000 ? 5 : 4);
                    edit->setText(shown);
                    set(parameter, shown);
                });
                connect(edit, &QLineEdit::editingFinished, this, [this, parameter, range, edit, slider] {
                    const QSignalBlocker block(slider);
                    if (const auto number = parse_double(edit->text().toStdString()))
                        slider->setValue(range.position(*number));
                    set(parameter, edit->text());
                });
                grid_->addWidget(slider, row, 1);
                grid_->addWidget(edit, row, 2);
                break;
            }
        }
        QList<QWidget*> widgets;
        for (int column = 0; column < 3; ++column) {
            QLayoutItem* item = grid_->itemAtPosition(row, column);
            if (item != nullptr && item->widget() != nullptr && !widgets.contains(item->widget()))
                widgets << item->widget();
        }
        fields_.emplace_back(name, widgets);
        ++row;
    }
    if (row == 0) grid_->addWidget(new QuietLabel(tr("This encoding has no parameters."), TextRole::kNote), 0, 0, 1, 3);
    grid_->setRowStretch(row + 1, 1);
}

}  // namespace sextant
